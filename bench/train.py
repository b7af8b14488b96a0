"""Compares the loader with a plain GDAL loop and with tacoreader + rasterio + torch's DataLoader: the same samples in the
same order, in samples per second; the goal is twice as many as the latter. A run that was killed continues where it was.

    python train.py TRAIN_LOADER TACO DIRECTORY [COUNT [ROUNDS]] [--all]

Needs a Python with rasterio, and for the other variants torch, tacoreader and taco_h; missing ones are SKIPPED, or
with --all a failure. The archive is made in DIRECTORY: COUNT GeoTIFFs of 3 bands and 128 x 128 pixels. Rounds alternate;
the best of each variant counts."""
import json, os, random, subprocess, sys, time

import numpy
import rasterio

ALL = "--all" in sys.argv
PROGRAM, TACO, DIR, *NUMBERS = [a for a in sys.argv[1:] if a != "--all"]
COUNT, ROUNDS = [int(n) for n in NUMBERS] + [2000, 3][len(NUMBERS):]
PATH = os.path.join(DIR, "train_%d.tacozip" % COUNT)


def make():
    source = os.path.join(DIR, "train_source_%d" % COUNT)
    os.makedirs(source, exist_ok=True)
    numbers = numpy.random.default_rng(7)
    for i in range(COUNT):
        pixels = numbers.integers(0, 3000, (3, 128, 128), dtype="uint16") // 8 * 8
        with rasterio.open(os.path.join(source, "s%05d.tif" % i), "w", driver="GTiff", width=128, height=128, count=3, dtype="uint16", compress="deflate", tiled=True,
                           blockxsize=64, blockysize=64, crs="EPSG:32718", transform=rasterio.transform.from_origin(300000 + i, 8e6, 10, 10)) as f:
            f.write(pixels)
    with open(os.path.join(DIR, "collection.json"), "w") as f:
        json.dump({"id": "t", "dataset_version": "1.0.0", "description": "d", "licenses": ["CC-BY-4.0"], "providers": [{"name": "N"}], "tasks": ["classification"]}, f)
    subprocess.run([TACO, "create", source, PATH, "--collection", os.path.join(DIR, "collection.json"), "--include", "*.tif"], check=True, capture_output=True)


def rows_of(lines):
    return [int(x) for line in lines for x in line.split(" sum ")[0].split()]


def command(*more):
    return [PROGRAM, PATH, "3", "128", "--seed", "9", *more]


def program(*more):
    begun = time.time()
    out = subprocess.run(command(*more), check=True, capture_output=True, text=True)
    took = time.time() - begun
    lines = out.stdout.splitlines()
    return took, rows_of(lines), sum(int(line.split(" sum ")[1].split()[0]) for line in lines)


def killed(wanted, times):
    """A run that is killed again and again, and each time goes on at the counter of the last batch it gave."""
    moments, lines, first = random.Random(4), [], 0
    for _ in range(times):
        run = subprocess.Popen(command("--threads", "2", "--batch", "8", "--first", str(first)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for _ in range(moments.randrange(1, 6)):
            line = run.stdout.readline()
            assert line.endswith("\n"), "it ended before it was killed"
            lines.append(line)
        run.kill()
        run.communicate()
        assert run.returncode == -9, "it was not killed"
        first = int(lines[-1].split(" next ")[1])
    head = rows_of(lines)
    assert head == wanted[:first] and head + program("--first", str(first))[1] == wanted, "the order does not go on"


def peer(order):
    """tacoreader, rasterio, torch: as its documentation has it, two workers."""
    import tacoreader
    import torch

    class Samples(torch.utils.data.Dataset):
        def __init__(self, paths):
            self.paths = paths

        def __len__(self):
            return len(self.paths)

        def __getitem__(self, i):
            with rasterio.open(self.paths[i]) as f:
                return torch.from_numpy(f.read().astype("float32"))

    begun = time.time()
    data = tacoreader.load(PATH).data
    column = data["internal:gdal_vsi"]
    column = column.to_pylist() if hasattr(column, "to_pylist") else list(column)
    paths = [column[i] for i in order]
    loader = torch.utils.data.DataLoader(Samples(paths), batch_size=32, shuffle=False, num_workers=2)
    total = n = 0
    for batch in loader:
        total += int(batch.double().sum())
        n += len(batch)
    return time.time() - begun, list(order)[:n], total


def to_tensor(payloads):
    import torch

    tensors = []
    for payload in payloads:
        with rasterio.MemoryFile(payload) as memory, memory.open() as f:
            tensors.append(torch.from_numpy(f.read().astype("float32")))
    return torch.stack(tensors)


def python(order):
    """taco_h in torch's DataLoader, two workers."""
    import taco_h
    import torch

    begun = time.time()
    batches = taco_h.open(PATH).batches(batch_size=32, seed=9, decode=to_tensor)
    loader = torch.utils.data.DataLoader(batches, batch_size=None, num_workers=2)
    total = sum(int(batch.double().sum()) for batch in loader)
    took = time.time() - begun
    return took, [row for k in range(len(batches)) for row in batches.rows_and_payloads(k)[0]], total


def main():
    if not os.path.exists(PATH):
        make()
    wanted = program("--threads", "2")[1]
    assert sorted(wanted) == list(range(COUNT)), "not every sample once"
    killed(wanted, 5)
    ways = {"loader, two threads": lambda: program("--threads", "2"), "loader, one thread": lambda: program("--threads", "1"), "plain GDAL loop": lambda: program("--plain")}
    torch_way = "tacoreader + rasterio + torch, two workers"
    try:
        import tacoreader, torch
        ways[torch_way] = lambda: peer(wanted)
        import taco_h
        ways["taco_h + rasterio + torch, two workers"] = lambda: python(wanted)
    except ImportError as e:
        if ALL:
            raise
        print("SKIPPED torch: %s" % e)
    best, sums = {}, set()
    for _ in range(ROUNDS):
        for name, way in ways.items():
            took, rows, total = way()
            assert rows == wanted, name + ": another order"
            sums.add(total)
            best[name] = min(best.get(name, 1e9), took)
    assert len(sums) == 1, "the pixels differ: %s" % sums
    for name, took in best.items():
        print("%-45s %7.0f samples a second" % (name, COUNT / took))
    first = best["loader, two threads"]
    for name in list(best)[2:]:
        print("the loader beside %s: %.1f times" % (name, best[name] / first))
    assert best.get(torch_way, 2 * first) >= 2 * first, "less than twice as fast as torch"
    print("train: %d samples, the same order and the same pixels in all ways" % COUNT)


main()
