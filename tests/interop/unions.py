#!/usr/bin/env python3
"""unions.py TACO FIXTURES [STEP] - concatenations of two FOLDER datasets whose columns have different types, in every column mode
and in both orders: types and values as tacoreader's concat has them. Where the reference fails, ours must fail with one
line or do what SANE says."""
import datetime, decimal, glob, io, itertools, os, re, shutil, subprocess, sys, tempfile, warnings
import pyarrow as pa, pyarrow.parquet as pq
import tacoreader
warnings.simplefilter('ignore')
STEP = int(sys.argv[3]) if len(sys.argv) > 3 else 1  # takes every Nth pair

D, S = decimal.Decimal, pa.struct
def arr(t, *v): return pa.array(list(v) + [None], t)
def dec(p, s, *v): return arr(pa.decimal128(p, s), *map(D, v))
COLUMNS = {
    'i8': arr(pa.int8(), -128, 7), 'i16': arr(pa.int16(), -5, 9), 'i32': arr(pa.int32(), -2**31, 5), 'i64': arr(pa.int64(), -2**63, 2**63 - 1),
    'u8': arr(pa.uint8(), 255), 'u32': arr(pa.uint32(), 2**32 - 1), 'u64': arr(pa.uint64(), 2**64 - 1, 0),
    'bool': arr(pa.bool_(), True, False), 'f32': arr(pa.float32(), 1.5, float('nan'), float('-inf'), 0.1), 'f64': arr(pa.float64(), -1e30, 0.1, float('inf'), float('nan')),
    'text': arr(pa.string(), 'x', ''), 'bin': arr(pa.binary(), b'\xff\x00'), 'date': arr(pa.date32(), -1, 18262),
    'd92': dec(9, 2, '1.25', '-3.50'), 'd124': dec(12, 4, '2.1250', '-0.0005'), 'd41': dec(4, 1, '999.9'), 'd380': dec(38, 0, '9' * 38, '1'),
    'd3810': dec(38, 10, '2.1234567891', '-0.5'), 'd302': dec(30, 2, '1.25'), 'd3020': dec(30, 20, '0.125', '-1.99999999995'), 'd3820': dec(38, 20, '1.25'),
    'ts_us': arr(pa.timestamp('us'), 0, 1580515200123456), 'ts_ms': arr(pa.timestamp('ms'), -1, 1580515200120), 'ts_utc': arr(pa.timestamp('us', 'UTC'), 1500000),
    'time_ms': arr(pa.time32('ms'), 1, 43200000), 'time_us': arr(pa.time64('us'), 2, 43200500000),
    's_a': arr(S([('a', pa.int32())]), {'a': 1}), 's_at': arr(S([('a', pa.string())]), {'a': 'x'}), 's_A': arr(S([('A', pa.int64())]), {'A': 9}, {'A': None}),
    's_ab': arr(S([('a', pa.int32()), ('b', pa.string())]), {'a': 2, 'b': 'q'}, {'a': None, 'b': None}), 's_ba': arr(S([('b', pa.string()), ('a', pa.int64())]), {'a': 1, 'b': 'r'}),
    's_b': arr(S([('b', pa.float64())]), {'b': 2.5}), 's_ac': arr(S([('a', pa.uint64()), ('c', pa.list_(pa.int8()))]), {'a': 2**63, 'c': [1, None]}),
    's_s': arr(S([('a', S([('x', pa.int32())]))]), {'a': {'x': 1}}), 's_sy': arr(S([('a', S([('y', pa.decimal128(5, 1)), ('x', pa.int8())]))]), {'a': {'x': 1, 'y': D('3.5')}}),
    'l_i': arr(pa.list_(pa.int32()), [1, None], []), 'l_u64': arr(pa.list_(pa.uint64()), [2**64 - 1]), 'l_d': arr(pa.list_(pa.decimal128(5, 1)), [D('1.5')]),
    'l_s': arr(pa.list_(S([('x', pa.int32())])), [{'x': 1}, None], []), 'l_sy': arr(pa.list_(S([('y', pa.float64()), ('x', pa.int64())])), [{'x': 1, 'y': 3.0}]),
    'm_i': pa.array([[('k', 1)], None], pa.map_(pa.string(), pa.int32())), 'm_d': pa.array([[('q', D('0.5'))], []], pa.map_(pa.string(), pa.decimal128(4, 2))),
}
# what ours does where the reference fails
SANE = {}


def make(path, source, column):
    shutil.copytree(source, path)
    file = os.path.join(path, 'METADATA', 'level0.parquet')
    t = pq.read_table(file)
    n = t.num_rows
    v = pa.concat_arrays([column] * (n // len(column) + 1)).slice(0, n)
    pq.write_table(t.append_column('v', v).append_column('w', pa.array([1] * n)), file)


def plain(t):
    """A type without the names of list items."""
    if pa.types.is_list(t) or pa.types.is_large_list(t): return 'list<%s>' % plain(t.value_type)
    if pa.types.is_map(t): return 'map<%s, %s>' % (plain(t.key_type), plain(t.item_type))
    if pa.types.is_struct(t): return 'struct<%s>' % ', '.join('%s: %s' % (f.name, plain(f.type)) for f in t)
    return str(t).replace('large_', '')


def values(column): return [repr(v) for v in column.to_pylist()]


def main():
    taco, fixtures = os.path.abspath(sys.argv[1]), sys.argv[2]
    source, bad, same, refused = glob.glob(os.path.join(fixtures, 'good/flat_folder/*/COLLECTION.json')) or [os.path.join(fixtures, 'good/flat_folder/COLLECTION.json')], 0, 0, 0
    source = os.path.dirname(source[0])
    with tempfile.TemporaryDirectory() as tmp:
        for name, column in COLUMNS.items(): make(os.path.join(tmp, name), source, column)
        loaded = {name: tacoreader.load(os.path.join(tmp, name)) for name in COLUMNS}
        for n, (a, b) in enumerate(itertools.permutations(COLUMNS, 2)):
            if n % STEP: continue
            mode = ('intersection', 'fill_missing', 'strict')[n % 3]
            try:
                want = tacoreader.concat([loaded[a], loaded[b]], column_mode=mode)._duckdb.execute('SELECT v FROM data').to_arrow_table()
                want = plain(want.schema.field(0).type), values(want.column(0))
            except Exception as e: want = None, str(e).split('\n')[0]
            run = subprocess.run([taco, 'query', os.path.join(tmp, a), os.path.join(tmp, b), '--column-mode', mode, '--select', 'v', '--format', 'arrow'], capture_output=True)
            if run.returncode == 0:
                got = pa.ipc.open_stream(io.BytesIO(run.stdout)).read_all()
                got.validate(full=True)
                got = plain(got.schema.field(0).type), values(got.column(0))
            else: got = None, run.stderr.decode().strip()
            if want[0] is None:
                refused += 1
                ok = got[0] == SANE.get((a, b)) and (got[0] or (run.returncode == 1 and '\n' not in got[1]))
            else:
                ok = got == want
                same += ok
            if not ok:
                bad += 1
                if bad <= 20: print('%s + %s, %s\n  ours %s\n  theirs %s' % (a, b, mode, str(got)[:300], str(want)[:300]))
    print('%d pairs as the reference has them, %d that both refuse, %d differences' % (same, refused, bad))
    return bad != 0


if __name__ == '__main__': sys.exit(main())
