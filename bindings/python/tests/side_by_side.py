"""side_by_side.py SHARED - one script with tacoreader and with taco_h, over every dataset of SHARED/fixtures: the same
answers, by the same calls. Run it with the Python of ../shared/tools/reference_env.sh v2, with taco_h on PYTHONPATH.
DIFFERENT lists what differs on purpose (shared/facts/disagreements.md)."""
import datetime
import glob
import os
import sys
import warnings

import tacoreader

import taco_h

GOOD = os.path.join(sys.argv[1], "fixtures", "good")
warnings.simplefilter("ignore")

# (dataset, step): why.
PADDING = "padding is hidden everywhere"
DURATION = "durations are the integers they are stored as"
DIFFERENT = {}
for step in "walk", "schema", "sql", "sql path", "flatten":
    DIFFERENT["padded_old", step] = DIFFERENT["padded_root_old", step] = PADDING
for step in "data", "head", "flatten":
    DIFFERENT["types_exotic", step] = DURATION
DIFFERENT["refbug_unsorted", "flatten"] = "tacoreader gives the places that the file has wrong"


def table(t):
    """A table as comparable values: times without zone, NaN as text."""
    return [{k: value(v) for k, v in row.items()} for row in t.to_pylist()]


def value(v):
    if isinstance(v, datetime.datetime) and v.tzinfo:
        return v.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    if isinstance(v, float):
        return "nan" if v != v else round(v, 5)
    if isinstance(v, list):
        return [value(x) for x in v]
    if isinstance(v, dict):
        return {k: value(x) for k, x in v.items()}
    return v


def walk(frame, depth):
    """Ids, types and paths of all that is below a table, by position and by id."""
    found = []
    names = frame["id"].to_pylist()
    for i in range(min(len(frame), 6)):
        below = frame.read(i)
        if isinstance(below, str):
            by_id = frame.read(names[i]) if names.count(names[i]) == 1 else below
            found.append((names[i], below, by_id == below))
        else:
            found.append((names[i], below.columns, len(below), walk(below, depth + 1)))
    return found


def unordered(found):
    return sorted((f[:3] + (unordered(f[3]),) if len(f) == 4 else f for f in found), key=repr)


def script(reader, path):
    """What a user does. The steps are functions, so that one that fails is compared, too."""
    ds = reader.load(path)
    depth = ds.pit_schema.max_depth()
    yield "about", lambda: (ds.id, ds.version, ds.description, ds.tasks, ds.extent, ds.providers, ds.licenses, ds.title, ds.curators, ds.keywords)
    yield "schema", lambda: (ds.pit_schema.to_dict(), depth, ds.field_schema, ds.collection)
    yield "data", lambda: table(ds.data.to_arrow())
    yield "columns", lambda: (ds.data.columns, ds.data.shape, ds.data_raw.columns)
    yield "head", lambda: (table(ds.data.head(2)), table(ds.data.tail(2)), ds.data["id"].to_pylist())
    yield "walk", lambda: walk(ds.data, 0)
    yield "rsut", lambda: (ds.is_rsut(), ds.verify_rsut())
    yield "bbox", lambda: sorted(ds.filter_bbox(-80, -30, 15, 60).data["id"].to_pylist())
    yield "bbox n", lambda: ds.filter_bbox(-80, -30, 15, 60).pit_schema.root
    yield "datetime", lambda: sorted(ds.filter_datetime("2020-01-01/2021-12-31").data["id"].to_pylist())
    yield "day", lambda: sorted(ds.filter_datetime(datetime.datetime(2021, 1, 1)).data["id"].to_pylist())
    yield "chain", lambda: sorted(ds.filter_bbox(-180, -90, 180, 90).filter_datetime("2020-01-01/2022-06-30").data["id"].to_pylist())
    for level in range(1, depth + 1):
        # the rows of its cascades come in no order
        yield "bbox l%d" % level, lambda: unordered(walk(ds.filter_bbox(-79.5, -90, 180, 90, level=level).data, 0))
        yield "datetime l%d" % level, lambda: unordered(walk(ds.filter_datetime("2020-01-01/2021-12-31", level=level).data, 0))
    yield "sql", lambda: table(ds.sql('SELECT "l%d:id" AS id, "l0:id" AS top FROM l%d WHERE "l%d:type" = \'FILE\' ORDER BY ALL' % ((depth,) * 3)))
    yield "sql path", lambda: sorted(ds.sql('SELECT "l%d:internal:gdal_vsi" FROM l%d WHERE "l%d:type" = \'FILE\'' % ((depth,) * 3)).column(0).to_pylist())
    yield "flatten", lambda: sorted(table(ds.flatten()), key=lambda r: str(r["gdal_vsi"]))
    yield "flatten columns", lambda: ds.flatten().column_names
    yield "sorted", lambda: ds.sort("l0:id", descending=True).limit(3).flatten()["l0:id"].to_pylist()
    for name in "mean", "std", "min", "max", "p25", "median", "p75", "p95", "categorical":
        yield "stats_" + name, lambda: [round(float(x), 4) for x in getattr(ds, "stats_" + name)([0])] if name != "categorical" else [
            [round(float(x), 4) for x in getattr(ds, "stats_" + name)(0)]
        ]


def run(step):
    try:
        return step()
    except Exception as e:  # whatever it raises is its answer
        return "%s" % type(e).__name__


def fails(answer):
    return isinstance(answer, str)


def datasets():
    for name in sorted(os.listdir(GOOD)):
        top = os.path.join(GOOD, name)
        if os.path.isfile(os.path.join(top, "COLLECTION.json")):
            yield name, top
            continue
        for path in sorted(glob.glob(os.path.join(top, "*.tacozip"))):
            yield "%s/%s" % (name, os.path.basename(path)), path
        for path in sorted(glob.glob(os.path.join(top, "*", "COLLECTION.json"))):
            yield "%s/%s" % (name, os.path.basename(os.path.dirname(path))), os.path.dirname(path)


def main():
    agreed = differ = failed = refused = 0
    for name, path in datasets():
        try:
            list(script(tacoreader, path))
        except Exception:  # of a generation that it does not read
            refused += 1
            taco_h.load(path).rows().to_list()
            continue
        for (step, theirs), (_, ours) in zip(script(tacoreader, path), script(taco_h, path)):
            a, b = run(theirs), run(ours)
            same = fails(a) and fails(b) or a == b
            why = DIFFERENT.get((name, step)) or DIFFERENT.get((name.split("/")[0], step))
            if same:
                agreed += 1
            elif why or fails(a):  # what it cannot do is no measure
                differ += 1
            else:
                failed += 1
                print("FAIL %s: %s\n    tacoreader %.600s\n    taco_h     %.600s" % (name, step, a, b))
    print("side by side: %d answers agree, %d differ on purpose, %d datasets tacoreader refuses, %d FAILED" % (agreed, differ, refused, failed))
    return failed or agreed < 500


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
