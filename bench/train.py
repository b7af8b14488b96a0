"""The loader beside a plain GDAL loop and beside tacoreader + rasterio + torch's DataLoader: the same samples in the same
order, samples a second.

    python train.py TRAIN_LOADER TACO DIRECTORY [COUNT [ROUNDS]]

Runs with a Python that has rasterio, and for the third way torch and tacoreader; what is missing is SKIPPED. The archive is
made in DIRECTORY: COUNT GeoTIFFs of 3 bands and 128 x 128 pixels. Rounds alternate; the best of each way counts."""
import json, os, subprocess, sys, time

import numpy
import rasterio

PROGRAM, TACO, DIR = sys.argv[1:4]
COUNT = int(sys.argv[4]) if len(sys.argv) > 4 else 2000
ROUNDS = int(sys.argv[5]) if len(sys.argv) > 5 else 3
PATH = os.path.join(DIR, "train_%d.tacozip" % COUNT)


def make():
    source = os.path.join(DIR, "train_source")
    os.makedirs(source, exist_ok=True)
    random = numpy.random.default_rng(7)
    for i in range(COUNT):
        pixels = random.integers(0, 3000, (3, 128, 128), dtype="uint16") // 8 * 8
        with rasterio.open(os.path.join(source, "s%05d.tif" % i), "w", driver="GTiff", width=128, height=128, count=3, dtype="uint16", compress="deflate", tiled=True,
                           blockxsize=64, blockysize=64, crs="EPSG:32718", transform=rasterio.transform.from_origin(300000 + i, 8e6, 10, 10)) as f:
            f.write(pixels)
    with open(os.path.join(DIR, "collection.json"), "w") as f:
        json.dump({"id": "t", "dataset_version": "1.0.0", "description": "d", "licenses": ["CC-BY-4.0"], "providers": [{"name": "N"}], "tasks": ["classification"]}, f)
    subprocess.run([TACO, "create", source, PATH, "--collection", os.path.join(DIR, "collection.json"), "--include", "*.tif"], check=True, capture_output=True)


def program(*more):
    begun = time.time()
    out = subprocess.run([PROGRAM, PATH, "3", "128", "--seed", "9", *more], check=True, capture_output=True, text=True)
    took = time.time() - begun
    rows = [int(x) for line in out.stdout.splitlines() for x in line.split(" sum ")[0].split()]
    total = sum(int(line.split(" sum ")[1].split()[0]) for line in out.stdout.splitlines())
    return took, rows, total


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


def main():
    if not os.path.exists(PATH):
        make()
    wanted = program("--threads", "2")[1]
    assert sorted(wanted) == list(range(COUNT)), "not every sample once"
    # killed and resumed at a counter, the order goes on
    head = program("--stop", "7")[1]
    assert wanted == head + program("--first", str(len(head)))[1], "the order does not go on"
    ways = {"loader, two threads": lambda: program("--threads", "2"), "loader, one thread": lambda: program("--threads", "1"), "plain GDAL loop": lambda: program("--plain")}
    try:
        import tacoreader, torch
        ways["tacoreader + rasterio + torch, two workers"] = lambda: peer(wanted)
    except ImportError as e:
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
    print("train: %d samples, the same order and the same pixels in all ways" % COUNT)


main()
