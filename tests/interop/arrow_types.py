#!/usr/bin/env python3
"""arrow_types.py TACO - `taco parquet copy` keeps the types that only ARROW:schema says: each is written by pyarrow and by polars,
copied, and read back with the same schema and values. Prints how many were, exits 1 where one was not."""
import datetime, decimal, os, subprocess, sys, tempfile
import polars as pl, pyarrow as pa, pyarrow.parquet as pq

taco, dir = os.path.abspath(sys.argv[1]), tempfile.mkdtemp(prefix='arrow_types')
D = decimal.Decimal
source, copy = dir + '/source.parquet', dir + '/copy.parquet'
dictionary = pa.DictionaryArray.from_arrays(pa.array([0, 1, None], pa.int8()), pa.array(['x', 'y']), ordered=True)
arrow = [pa.array([1000, None, 3000], t) for t in (
    [pa.duration(u) for u in ('s', 'ms', 'us', 'ns')] + [pa.timestamp('us', 'Europe/Berlin'), pa.timestamp('ns', '+05:30'), pa.timestamp('s'), pa.timestamp('s', 'UTC'),
     pa.time32('s'), pa.uint16()])] + [
    pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int32(), 2)), pa.array([[1], None, []], pa.large_list(pa.int64())), pa.array([['a'], None, []], pa.list_(pa.dictionary(pa.int32(), pa.string()))),
    pa.array(['a', 'b', None]).dictionary_encode(), dictionary, pa.array([[('a', 1)], None, []], pa.map_(pa.large_string(), pa.int32())),
    pa.array([{'a': datetime.timedelta(1)}, None, {'a': None}], pa.struct([('a', pa.duration('us'))]))] + [
    pa.array(['a', None, 'c'], t) for t in (pa.large_string(), pa.string_view())] + [pa.array([b'a', None, b'c'], t) for t in (pa.large_binary(), pa.binary_view())] + [
    pa.array([D('1.5'), None, D('2.5')], t) for t in (pa.decimal32(5, 2), pa.decimal64(12, 2), pa.decimal256(30, 2), pa.decimal256(50, 2))] + [
    pa.array([0, None, 86400000], pa.date64()), pa.array([None] * 3, pa.null()), pa.array([1, None, 2], pa.float16()), pa.array([b'ab', None, b'cd'], pa.binary(2))]
polars = [pl.Series([1, None, 1 << 100], dtype=pl.Int128), pl.Series([datetime.timedelta(1), None]), pl.Series(['a', 'b', None], dtype=pl.Categorical), pl.Series(['a', None], dtype=pl.Enum(['a', 'b'])),
          pl.Series([[1, 2], None], dtype=pl.Array(pl.Int32, 2)), pl.Series([datetime.time(1), None]), pl.Series(['1.5', None]).cast(pl.Decimal(10, 2))]
good, bad = 0, []
for values in arrow + polars:
    mine = isinstance(values, pl.Series)
    if mine: pl.DataFrame({'c': values}).write_parquet(source)
    else: pq.write_table(pa.table({'c': values}), source)
    done = subprocess.run([taco, 'parquet', 'copy', source, copy, '--overwrite'], capture_output=True, text=True)
    read = pl.read_parquet if mine else pq.read_table
    a, b = read(source), read(copy) if not done.returncode else None
    if b is not None and a.schema == b.schema and a.equals(b): good += 1
    else: bad.append('%s: %s, %s' % (values.dtype if mine else values.type, b.schema if b is not None else '', done.stderr.strip()))
print('%d of %d types were kept' % (good, good + len(bad)))
for text in bad: print('  ' + text)
sys.exit(bool(bad))
