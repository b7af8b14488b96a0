"""compare.py - Arrow tables compared cell by cell, for what engines gave back."""
import uuid

import pyarrow as pa
import pyarrow.compute as pc


def plain(a):
    """An array without the choices that engines make differently: views, dictionaries, extensions, time units."""
    t = a.type
    if isinstance(t, pa.BaseExtensionType):
        return plain(a.storage)
    if pa.types.is_dictionary(t):
        return plain(a.dictionary_decode())
    if pa.types.is_run_end_encoded(t):
        return plain(pc.run_end_decode(a))
    if pa.types.is_large_string(t) or pa.types.is_string_view(t):
        return a.cast(pa.string())
    if pa.types.is_large_binary(t) or pa.types.is_binary_view(t) or pa.types.is_fixed_size_binary(t):
        return a.cast(pa.binary())
    if pa.types.is_time(t):
        return a.cast(pa.time64("ns")).view(pa.int64())
    if pa.types.is_date64(t):
        return a.cast(pa.date32())
    if pa.types.is_duration(t):
        return a.view(pa.int64())
    if pa.types.is_decimal(t):
        return a.cast(pa.decimal256(76, t.scale))
    if pa.types.is_timestamp(t):
        return a.cast(pa.timestamp(t.unit)) if t.tz else a
    return a


def children(a):
    """Lengths of lists and their elements; a null list has none."""
    if pa.types.is_map(a.type):
        values = pa.StructArray.from_arrays([a.keys, a.items], names=["key", "value"])
        lengths = pc.subtract(pa.array(a.offsets[1:]), pa.array(a.offsets[:-1]))
        lengths = pc.if_else(a.is_valid(), lengths, None)
        # elements below null rows are no elements
        keep = [i for i in range(len(a)) if a.is_valid()[i].as_py()] if a.null_count else None
        if keep is not None:
            offsets = a.offsets.to_pylist()
            base = offsets[0]
            index = [k for i in keep for k in range(offsets[i], offsets[i + 1])]
            values = values.take(pa.array(index, pa.int64())) if index else values.slice(0, 0)
        else:
            values = values.slice(0, a.offsets[-1].as_py() - a.offsets[0].as_py()) if len(a) else values.slice(0, 0)
        return lengths, values
    return pc.list_value_length(a), a.flatten()


def differs(a, b, where=""):
    """None when the arrays hold the same values, otherwise where and what."""
    if pa.types.is_string(a.type) and isinstance(b.type, pa.UuidType):  # DuckDB gives its own back as text
        a = pa.array([v and uuid.UUID(v).bytes for v in a.to_pylist()], pa.binary())
    if pa.types.is_time(a.type) and pa.types.is_time(b.type) and a.type != b.type:  # as exact as the coarser of them
        unit = {"s": 10**9, "ms": 10**6, "us": 1000, "ns": 1}
        unit = max(unit[a.type.unit], unit[b.type.unit])
        a, b = (pc.multiply(pc.divide(x, unit), unit) for x in (plain(a), plain(b)))
    a, b = plain(a), plain(b)
    if len(a) != len(b):
        return f"{where}: {len(a)} rows, {len(b)} wanted"
    if pa.types.is_null(a.type) or pa.types.is_null(b.type):
        return None if a.null_count == b.null_count == len(a) else f"{where}: null, {b.type} wanted"
    if a.null_count != b.null_count or not a.is_valid().equals(b.is_valid()):
        return f"{where}: other nulls"
    nested = lambda t: pa.types.is_nested(t) and not pa.types.is_struct(t)
    if nested(a.type) and nested(b.type):
        (m, x), (n, y) = children(a), children(b)
        if not m.cast(pa.int64()).equals(n.cast(pa.int64())):
            return f"{where}: lists of other lengths"
        return differs(x, y, where + "[]")
    if pa.types.is_struct(a.type) and pa.types.is_struct(b.type):
        if a.type.num_fields != b.type.num_fields:
            return f"{where}: {a.type}, {b.type} wanted"
        for i, (x, y) in enumerate(zip(a.flatten(), b.flatten())):
            if a.type.field(i).name != b.type.field(i).name and not where.endswith("[]"):
                return f"{where}: field {a.type.field(i).name}, {b.type.field(i).name} wanted"
            d = differs(x, y, f"{where}.{a.type.field(i).name}")
            if d:
                return d
        return None
    if pa.types.is_timestamp(a.type) and pa.types.is_timestamp(b.type) and a.type != b.type:
        order = ["s", "ms", "us", "ns"]
        coarse = min(a.type.unit, b.type.unit, key=order.index)
        a, b = (pc.floor_temporal(x, unit={"ms": "millisecond", "us": "microsecond"}[coarse]).cast(
            pa.timestamp(coarse)) if x.type.unit != coarse else x for x in (a, b))
    if a.type != b.type:
        return f"{where}: {a.type}, {b.type} wanted"
    if pa.types.is_floating(a.type):
        bits = {16: pa.uint16(), 32: pa.uint32(), 64: pa.uint64()}[a.type.bit_width]
        x, y = a.view(bits), b.view(bits)
        if not x.equals(y):  # NaNs of another payload are NaNs
            if not pc.all(pc.or_kleene(pc.equal(x, y), pc.and_(pc.is_nan(a.cast(pa.float64())),
                                                              pc.is_nan(b.cast(pa.float64()))))).as_py():
                return f"{where}: other numbers"
        return None
    if not a.equals(b):
        k = next(i for i in range(len(a)) if a[i] != b[i])
        return f"{where}: row {k}: {str(a[k])[:60]}, {str(b[k])[:60]} wanted"
    return None


def one(column):
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks else pa.array([], column.type)
    return column


def tables_differ(a, b):
    if a.num_columns != b.num_columns:
        return f"{a.num_columns} columns, {b.num_columns} wanted"
    if a.num_rows != b.num_rows:
        return f"{a.num_rows} rows, {b.num_rows} wanted"
    for i in range(a.num_columns):
        if a.schema.field(i).name != b.schema.field(i).name:
            return f"column {a.schema.field(i).name!r}, {b.schema.field(i).name!r} wanted"
        d = differs(one(a.column(i)), one(b.column(i)), a.schema.field(i).name)
        if d:
            return d
    return None


def has(t, test):
    t = t.storage_type if isinstance(t, pa.BaseExtensionType) else t
    return test(t) or any(has(t.field(i).type, test) for i in range(t.num_fields))
