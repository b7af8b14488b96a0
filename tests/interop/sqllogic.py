#!/usr/bin/env python3
"""sqllogic.py --library build/libtaco_stream.so [--out DIR] PATH... - sqllogictest files of others (DuckDB's test/sql, SQLite's
select1 ... select4, DataFusion's), run by taco and by DuckDB over the same Parquet files; names, types and values are compared over Arrow.

PATH is a file or a directory. A file's statements are run by DuckDB. The tables and views that a query names are written as
Parquet, which become the levels of a FOLDER dataset for taco and the tables level0 ... level5 for DuckDB; in the text `FROM t`
becomes `FROM level0 t`, and both engines get that same text. What the file says the answer is, is not looked at: DuckDB is.
A query that both have seen, over the same tables, counts once. Statements that must fail count where they are SELECTs.

Each query is in one of the classes
  equal     the same names, types and values, or the same order of the same values where the query orders them
  wrong     other values                   type      the same values in other types
  name      the same in other names        refused   taco refuses, DuckDB answers
  accepted  taco answers, DuckDB refuses   both      both refuse
  crash     taco ended
and differences that are meant are in sqllogic.accepted beside this file: CLASS, a regular expression for the text of the query,
and the reason, separated by tabs. With --out the queries of each class are written to DIR/sqllogic.CLASS.txt with both answers,
refusals by message.

Limits: --wrong N, --agree PERCENT, --answered PERCENT fail the run when there are more wrong values (names and types of what
both answer, queries that DuckDB answers)."""
import argparse, collections, ctypes, json, math, multiprocessing, os, re, shutil, sys, tempfile, threading, time, uuid
import duckdb, pyarrow as pa

CLASSES = ['equal', 'wrong', 'type', 'name', 'refused', 'accepted', 'both', 'crash']
GROUPS = {'<numeric>': 'tinyint smallint integer bigint hugeint utinyint usmallint uinteger ubigint float double',
          '<integral>': 'tinyint smallint integer bigint hugeint utinyint usmallint uinteger ubigint', '<signed>': 'tinyint smallint integer bigint hugeint',
          '<unsigned>': 'utinyint usmallint uinteger ubigint', '<alltypes>': 'tinyint smallint integer bigint hugeint utinyint usmallint uinteger ubigint float double bool interval varchar',
          '<compression>': 'none', '<all_types_columns>': 'bool tinyint smallint int bigint float double varchar date timestamp'}
HAVE = {'parquet', 'json', 'icu', 'core_functions', 'skip_reload', 'vector_size', 'noforcestorage', 'no_alternative_verify', 'block_size', 'notwindows', '64bit',
        'no_extension_autoloading', 'no_latest_storage', 'no_vector_verification', 'notmingw', 'no_force_storage', 'ram', 'longdouble', 'strinline', 'exact_vector_size'}
MAX_TABLES, MAX_ROWS, MAX_QUERIES = 6, 50000, 6000


# ---- sqllogictest files ----

def records(path):
    """(line, first words, text of the SQL) of each record."""
    lines = open(path, encoding='utf-8', errors='replace').read().replace('\r', '').split('\n')
    i = 0
    while i < len(lines):
        line = lines[i]
        if not line.strip() or line.startswith('#'):
            i += 1
            continue
        words, at = line.split(), i + 1
        i += 1
        if words[0] not in ('statement', 'query'):
            yield at, words, ''
            continue
        text = []
        while i < len(lines) and lines[i].strip() and lines[i].strip() != '----':
            if not lines[i].startswith('#'): text.append(lines[i])
            i += 1
        if i < len(lines) and lines[i].strip() == '----':
            while i < len(lines) and lines[i].strip(): i += 1
        yield at, words, '\n'.join(text).strip().rstrip(';').strip()


def holds(condition, values):
    """onlyif and skipif: of a loop's variable, or of an engine."""
    m = re.match(r'(\w+)(<>|<=|>=|=|<|>)(.*)$', condition)
    if not m: return condition == 'duckdb'
    a, b = values.get(m[1], ''), m[3]
    if a.isdigit() and b.isdigit(): a, b = int(a), int(b)
    return {'=': a == b, '<>': a != b, '<': a < b, '>': a > b, '<=': a <= b, '>=': a >= b}[m[2]] if type(a) is type(b) else False


def expand(found, values, budget):
    """The records with loops run out: (line, words, text)."""
    i, skip = 0, None
    def put(text):
        for k, v in values.items(): text = text.replace('${%s}' % k, v).replace('{%s}' % k, v)
        return text
    while i < len(found):
        at, words, text = found[i]
        i += 1
        kind = words[0]
        if kind in ('loop', 'foreach', 'concurrentloop', 'concurrentforeach'):
            depth, body = 1, i
            while i < len(found) and depth:
                depth += found[i][1][0] in ('loop', 'foreach', 'concurrentloop', 'concurrentforeach')
                depth -= found[i][1][0] == 'endloop'
                i += 1
            items = [put(w) for w in words[2:]]
            if kind.endswith('loop'): items = [str(n) for n in range(int(items[0]), min(int(items[1]), int(items[0]) + 40))]
            else:
                items = [x for w in items for x in (GROUPS.get(w.lower(), w)).split()]
                items = [x for x in items if not x.startswith('!') and '!' + x not in items]
            for item in items: yield from expand(found[body:i - 1], dict(values, **{words[1]: item}), budget)
            continue
        if kind in ('onlyif', 'skipif'):
            skip = holds(put(words[1]), values) != (kind == 'onlyif')
            continue
        if not skip:
            budget[0] -= 1
            if budget[0] < 0: return
            yield at, [put(w) for w in words], put(text)
        skip = None


# ---- the text of a query ----

TOKEN = re.compile(r"""'(?:[^']|'')*'|\$\$.*?\$\$|"(?:[^"]|"")*"|--[^\n]*|/\*.*?\*/|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|\d[\w.]*|\s+|.""", re.S)
ENDS = {'where', 'group', 'order', 'having', 'limit', 'offset', 'on', 'using', 'union', 'intersect', 'except', 'window', 'qualify', 'select', 'set', 'values', 'sample'}
NO_ALIAS = ENDS | {'join', 'inner', 'left', 'right', 'full', 'cross', 'natural', 'semi', 'anti', 'asof', 'positional', 'tablesample', 'at', 'pivot', 'unpivot', 'outer', 'by', 'as', 'lateral', 'for', 'returning'}


def rewrite(text, have):
    """The text with the tables of `have` (lower case) replaced by level0 ..., and these tables in the order of the levels."""
    tokens = TOKEN.findall(text)
    solid = [i for i, t in enumerate(tokens) if not t.isspace() and not t.startswith(('--', '/*'))]
    stack, used, ctes = [{'from': False, 'select': True, 'want': False}], [], set()
    word = lambda k: tokens[solid[k]].lower() if 0 <= k < len(solid) else ''
    def name(k): return word(k)[1:-1] if word(k)[:1] == '"' else word(k)
    for k in range(len(solid)):  # WITH names hide tables
        if word(k) == 'as' and (word(k + 1) == '(' or word(k + 1) in ('materialized', 'not')) and k: ctes.add(name(k - 1) if word(k - 1) != ')' else '')
    for k, i in enumerate(solid):
        t, top = word(k), stack[-1]
        if t == '(':
            stack.append({'from': top['want'], 'select': top['want'], 'want': top['want']})
            top['want'] = False
        elif t == ')':
            if len(stack) > 1: stack.pop()
        elif t == ',': top['want'] = top['from']
        elif t in ('from', 'join') and (top['select'] or t == 'join' or word(k - 1) == '(') and word(k - 1) != 'distinct':
            top['from'] = top['want'] = top['select'] = True
        elif t == 'select': top.update(select=True, **{'from': False}, want=False)
        elif t in ENDS: top['from'] = top['want'] = False
        elif top['want']:
            if t in ('lateral', 'only'): continue
            top['want'] = False
            n = name(k)
            if word(k + 1) == '(' or n not in have or (n in ctes and word(k - 1) != '.') or t[:1] == "'": continue
            if n not in used: used.append(n)
            alias = not (word(k + 1) == 'as' or word(k + 1) and re.match(r'["\w]', word(k + 1)) and word(k + 1) not in NO_ALIAS)
            tokens[i] = 'level%d' % used.index(n) + (' ' + tokens[i] if alias else '')
        if t == '.' and k + 1 < len(solid) and name(k - 1) in ('main', 'memory', 'temp') and name(k + 1) in have:
            tokens[solid[k - 1]] = tokens[i] = ''
            top['want'] = top['from'] and word(k - 2) in ('from', 'join', ',', '(')
    return ''.join(tokens), used


# ---- answers ----

class Answer:
    """A table as names, types and columns of Python values, or an error."""
    def __init__(self, table=None, error=None):
        self.error = error
        if table is None: return
        self.names = [f.name for f in table.schema]
        self.types = [kind(f.type) for f in table.schema]
        self.rows = list(zip(*[values(c) for c in table.columns])) if table.num_columns else []

    def with_uuids(self, types):
        """DuckDB's types as text: its UUIDs leave as texts, taco's as Arrow's extension."""
        self.uuids = [bool(re.search(r'\bUUID\b', t)) for t in types]
        self.types = ['arrow.uuid' if t == 'UUID' else k for t, k in zip(types, self.types)]
        return self


def kind(t):
    """A type as text: without the names of list elements, and whether texts are large, views or in a dictionary."""
    if pa.types.is_dictionary(t): return kind(t.value_type)
    if pa.types.is_large_string(t) or t == pa.string_view(): return 'string'
    if pa.types.is_large_binary(t) or t == pa.binary_view(): return 'binary'
    if pa.types.is_map(t): return 'map<%s, %s>' % (kind(t.key_type), kind(t.item_type))
    if pa.types.is_list(t) or pa.types.is_large_list(t): return 'list<%s>' % kind(t.value_type)
    if pa.types.is_fixed_size_list(t): return 'list<%s>[%d]' % (kind(t.value_type), t.list_size)
    if pa.types.is_struct(t): return 'struct<%s>' % ', '.join('%s: %s' % (t.field(i).name, kind(t.field(i).type)) for i in range(t.num_fields))
    if isinstance(t, pa.BaseExtensionType): return t.extension_name
    return str(t)


def values(c):
    """A column as Python values: times as numbers, since Python has no nanoseconds."""
    if isinstance(c, pa.ChunkedArray): c = c.combine_chunks() if c.num_chunks != 1 else c.chunk(0)
    if isinstance(c, pa.ChunkedArray): c = pa.concat_arrays(c.chunks) if c.num_chunks else pa.array([], c.type)
    t = c.type
    if isinstance(t, pa.BaseExtensionType): return [str(uuid.UUID(bytes=x)) if t.extension_name == 'arrow.uuid' and x else x for x in values(c.storage)]
    if pa.types.is_dictionary(t): return values(c.dictionary_decode())
    valid = c.is_valid().to_pylist()
    if pa.types.is_map(t): c = c.cast(pa.list_(pa.struct([pa.field('key', t.key_type), pa.field('value', t.item_type)]))); t = c.type
    if pa.types.is_fixed_size_list(t): c = c.cast(pa.list_(t.value_type)); t = c.type
    if pa.types.is_list(t) or pa.types.is_large_list(t):
        flat, at = values(c.values), c.offsets.to_pylist()
        return [tuple(flat[at[i]:at[i + 1]]) if v else None for i, v in enumerate(valid)]
    if pa.types.is_struct(t):
        kids = [values(c.field(i)) for i in range(t.num_fields)]
        return [tuple(k[i] for k in kids) if v else None for i, v in enumerate(valid)]
    if pa.types.is_timestamp(t) or pa.types.is_time64(t) or pa.types.is_date64(t) or pa.types.is_duration(t): c = c.view(pa.int64())
    elif pa.types.is_date32(t) or pa.types.is_time32(t): c = c.view(pa.int32())
    elif pa.types.is_interval(t): return [tuple(x) if x is not None else None for x in c.to_pylist()]
    try: return c.to_pylist()
    except UnicodeDecodeError: return c.cast(pa.binary()).to_pylist()


def same(a, b, digits=1e-12):
    """Equal values; floats to 12 digits, as sums depend on the order of their terms."""
    if type(a) is tuple and type(b) is tuple: return len(a) == len(b) and all(same(x, y, digits) for x, y in zip(a, b))
    if type(a) is float and type(b) is float: return a == b or (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=digits, abs_tol=1e-300)
    if a is None or b is None or type(a) is bool or type(b) is bool: return a is b or a == b and type(a) is type(b)
    return a == b


def order_key(row): return repr([('%.9g' % v if type(v) is float else repr(v)) for v in row])


def compare(ours, want, ordered):
    """The class of a pair of answers and what differs."""
    if ours.error and want.error: return 'both', ''
    if ours.error: return 'refused', ours.error
    if want.error: return 'accepted', want.error
    if len(ours.names) != len(want.names): return 'wrong', 'columns: %s, DuckDB %s' % (ours.names, want.names)
    for i, t in enumerate(want.types):
        if want.uuids[i] and t != 'arrow.uuid': ours.types[i] = ours.types[i].replace('arrow.uuid', 'string')
    a, b = ours.rows, want.rows
    if len(a) != len(b): return 'wrong', '%d rows, DuckDB %d: %s, DuckDB %s' % (len(a), len(b), a[:3], b[:3])
    digits = 1e-6 if any('float' in t.split('<')[-1] and 'double' not in t for t in want.types) else 1e-12
    where = next((i for i in range(len(a)) if not same(a[i], b[i], digits)), None)
    if where is not None:
        c, d = sorted(a, key=order_key), sorted(b, key=order_key)
        if ordered or not all(same(x, y, digits) for x, y in zip(c, d)):
            if ours.types != want.types and all(str(x) == str(y) for r, s in zip(a, b) for x, y in zip(r, s)): return 'type', '%s, DuckDB %s' % (ours.types, want.types)
            note = '' if ordered and all(same(x, y, digits) for x, y in zip(c, d)) is False else ' (the order)' if ordered else ''
            return 'wrong', 'row %d%s: %s, DuckDB %s' % (where, note, a[where], b[where])
    if ours.types != want.types: return 'type', '%s, DuckDB %s' % (ours.types, want.types)
    if ours.names != want.names: return 'name', '%s, DuckDB %s' % (ours.names, want.names)
    return 'equal', ''


# ---- running ----

class Engines:
    """Two connections to DuckDB, one for what the file does and one over the Parquet files, and taco."""
    def __init__(self, library, tmp):
        self.lib, self.tmp, self.epoch, self.made = ctypes.CDLL(library), tmp, 0, {}
        self.setup, self.names = None, None
        self.reset(':memory:')
        self.connect_other()
        os.makedirs(tmp + '/files', exist_ok=True)
        self.serial = 0

    def connect_other(self):
        self.other, self.loaded = duckdb.connect(), None
        self.other.execute("SET threads=1; SET TimeZone='UTC'; SET memory_limit='1GB'; SET max_expression_depth=1000")
        for name in ('icu', 'spatial'):
            try: self.other.execute('LOAD ' + name)
            except duckdb.Error: pass

    def reset(self, path):
        if self.setup: self.setup.close()
        self.path, self.epoch, self.cursors, self.names = path, self.epoch + 1, {}, None
        self.setup = duckdb.connect(path)
        self.setup.execute("SET threads=1; SET TimeZone='UTC'; SET memory_limit='1GB'; SET temp_directory=''")

    def run(self, text, connection):
        c = self.cursors.setdefault(connection, self.setup.cursor() if connection else self.setup)
        self.epoch += 1
        self.names = None
        try: self.timed(c, text)
        except Exception: pass

    def timed(self, c, text):
        """A statement, which is interrupted after 5 s."""
        timer = threading.Timer(5, c.interrupt)
        timer.start()
        try: return c.execute(text)
        finally: timer.cancel()

    def tables(self):
        if self.names is None:
            try: self.names = {r[0].lower(): r[0] for r in self.setup.execute("SELECT table_name FROM information_schema.tables WHERE table_schema IN ('main') ORDER BY table_name").fetchall()}
            except duckdb.Error: self.names = {}
        return self.names

    def folder(self, used):
        """The dataset of these tables at this time; None where they cannot be Parquet."""
        key = (self.epoch, tuple(used))
        if not used: key = ()
        if key in self.made: return self.made[key]
        self.serial += 1
        path = '%s/set%d' % (self.tmp, self.serial)
        os.makedirs(path + '/METADATA')
        open(path + '/COLLECTION.json', 'w').write(COLLECTION)
        self.made[key] = None
        for n, table in enumerate(used):
            file = '%s/METADATA/level%d.parquet' % (path, n)
            if self.setup.execute('SELECT count(*) FROM (SELECT 1 FROM main."%s" LIMIT %d)' % (self.names[table].replace('"', '""'), MAX_ROWS + 1)).fetchone()[0] > MAX_ROWS: return None
            self.setup.execute('COPY (FROM main."%s") TO \'%s\' (FORMAT parquet)' % (self.names[table].replace('"', '""'), file))
        if not used: self.other.execute("COPY (SELECT 1 AS one) TO '%s/METADATA/level0.parquet' (FORMAT parquet)" % path)
        self.made[key] = (path, len(used) or 1)
        return self.made[key]

    def load(self, made):
        """Makes level0 ... of DuckDB those of the dataset, with the column that taco adds."""
        if self.loaded == made[0]: return
        for n in range(made[1]):
            file = '%s/METADATA/level%d.parquet' % (made[0], n)
            millis = [r[0] for r in self.other.execute("SELECT name FROM parquet_schema('%s') WHERE logical_type LIKE '%%MILLIS=Mil%%' AND logical_type LIKE 'TimestampType%%'" % file).fetchall()]
            replace = ' REPLACE (%s)' % ', '.join('CAST("{0}" AS TIMESTAMP_MS) AS "{0}"'.format(c.replace('"', '""')) for c in millis) if millis else ''
            self.other.execute("CREATE OR REPLACE TABLE level%d AS SELECT *%s, NULL::VARCHAR AS \"internal:gdal_vsi\" FROM read_parquet('%s')" % (n, replace, file))
        self.loaded = made[0]

    def theirs(self, text):
        try:
            done = self.timed(self.other, text)
            types = [str(d[1]) for d in done.description]
            return Answer(done.to_arrow_table()).with_uuids(types)
        except duckdb.Error as e:
            if 'FATAL' in str(e) or 'INTERNAL' in str(e): self.connect_other()
            return Answer(error=str(e).split('\n')[0])
        except Exception as e: return Answer(error='DuckDB to Arrow: ' + str(e).split('\n')[0])

    def ours(self, path, text):
        stream, message = (ctypes.c_byte * 40)(), ctypes.create_string_buffer(384)
        if self.lib.interop_sql(path.encode(), text.encode(), ctypes.byref(stream), message):
            return Answer(error=message.value.decode(errors='replace'))
        try: return Answer(pa.RecordBatchReader._import_from_c(ctypes.addressof(stream)).read_all())
        except (pa.ArrowException, OSError) as e: return Answer(error=str(e).split('\n')[0])


COLLECTION = json.dumps({'id': 'sqllogic', 'dataset_version': '1.0.0', 'description': 'tables of a test', 'licenses': ['CC-BY-4.0'], 'taco_version': '0.5.0',
                         'providers': [{'name': 'test', 'roles': ['producer']}], 'tasks': ['classification'], 'extent': {'spatial': [0, 0, 1, 1], 'temporal': None},
                         'taco:pit_schema': {'root': {'n': 1, 'type': 'FILE'}, 'hierarchy': {}}, 'taco:field_schema': {}})


def worth(text):
    """Whether a query is one that the SQL of a dataset could have: no pragma, no change of tables, no schema of DuckDB's own."""
    t = text.lstrip('( \n').lower()
    return (t.startswith(('select', 'with', 'values', 'from')) and
            not re.search(r'duckdb_\w+\(|pragma_|information_schema|pg_catalog|sqlite_master|read_(csv|json|parquet|text|blob)|parquet_\w+\(|test_all_types|test_vector_types|nextval|currval|random|getvariable|'
                          r'current_(database|schema|query|setting|connection)|txid_current|uuid\(|gen_random|setseed|\bversion\(|sniff_csv|glob\(|insert\s+into|create\s+(table|view)|\bmedian_sleep|\bget_current_time|'
                          r'\bnow\(|current_(time|date)|localtime|\btoday\(|stats\(|\$\d|\browid\b|export_state|\?|\bprepare\b|write_log|\bshow\b|\bdescribe\b|\bsummarize\b|\busing\s+sample|tablesample|query_table|\bquery\(|tpch|tpcds|dsdgen|repeat_row', t))


def run_file(e, path, emit, skip, note):
    """All queries of a file; emit(line, text, class, difference)."""
    found, seen, budget = list(records(path)), set(), [20000]
    mode_skip, n, begun = False, 0, time.process_time()
    shutil.rmtree(e.tmp + '/files', ignore_errors=True)
    os.makedirs(e.tmp + '/files')
    for at, words, text in expand(found, {}, budget):
        kind = words[0]
        if kind == 'mode': mode_skip = len(words) > 1 and (words[1] == 'skip' or mode_skip and words[1] != 'unskip')
        if mode_skip: continue
        if time.process_time() - begun > 90 or n > MAX_QUERIES: return 'cut at line %d' % at
        if kind == 'require' and words[1] not in HAVE: return 'requires ' + words[1]
        if kind in ('require-env', 'test_env', 'include', 'template', 'unzip'): return 'has ' + kind
        if kind == 'load': e.reset(':memory:')
        if kind not in ('statement', 'query') or not text: continue
        for a in ('__TEST_DIR__', '{TEST_DIR}', '{TEMP_DIR}'): text = text.replace(a, e.tmp + '/files')
        plain = worth(text)
        if kind == 'statement' and not (plain and words[1] == 'error'):
            note(n, at, text, 'DuckDB')
            if re.match(r'\s*(copy|export|install|attach|import|load|force)\b', text, re.I) and e.tmp not in text: continue
            e.run(text, words[2] if len(words) > 2 and words[1] in ('ok', 'error', 'maybe') else None)
            continue
        if not plain: continue
        try: asked, used = rewrite(text, e.tables())
        except RecursionError: continue
        if (asked, tuple(used), e.epoch if used else 0) in seen or len(used) > MAX_TABLES: continue
        seen.add((asked, tuple(used), e.epoch if used else 0))
        n += 1
        if n <= skip: continue
        note(n, at, asked, 'DuckDB')
        try:
            made = e.folder(used)
            if made: e.load(made)
        except Exception: made = None  # a table that Parquet has not, or that DuckDB makes of none
        if not made: continue
        note(n, at, asked, 'DuckDB')
        want = e.theirs(asked)
        note(n, at, asked, 'taco')
        ours = e.ours(made[0], asked)
        if not want.error and len(want.rows) > MAX_ROWS: continue
        ordered = re.search(r'\border\s+by\b', re.sub(r'\([^()]*\)', '', re.sub(r'\([^()]*\)', '', asked)), re.I) and words[0] == 'query' and not (len(words) > 2 and 'sort' in words[2] and words[2] != 'nosort')
        emit(at, asked, *compare(ours, want, bool(ordered)))
    return ''


def work(library, tmp, files, queue):
    """A process: files one after another; what it is at goes to a file, for the parent to see where it ended."""
    engines = Engines(library, tmp)
    while True:  # until the parent ends it
        path, skip = files.get()
        def note(n, at, text, who):
            open(tmp + '/at.new', 'w').write(json.dumps([path, n, at, text, who]))
            os.rename(tmp + '/at.new', tmp + '/at')
        note(skip, 0, '', 'DuckDB')
        out = []
        def emit(*row): queue.put(('row', path, row))
        try: end = run_file(engines, path, emit, skip, note)
        except MemoryError: end = 'memory'
        except Exception as x: end = 'harness: %s: %s' % (type(x).__name__, str(x)[:200])
        queue.put(('end', path, end))
        for d in os.listdir(tmp):
            if d.startswith('set'): shutil.rmtree(os.path.join(tmp, d), ignore_errors=True)
        engines.made, engines.loaded = {}, None
        engines.reset(':memory:')


def accepted_list():
    path, out = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'sqllogic.accepted'), []
    for line in open(path) if os.path.exists(path) else []:
        if line.strip() and not line.startswith('#'):
            name, pattern, reason = line.rstrip('\n').split('\t')
            out.append((name, re.compile(pattern, re.I | re.S), reason))
    return out


def gather(a, files, progress):
    """Runs the files in a.jobs processes; a process that ends is a crash of the query it was at. Every minute progress(rows)."""
    rows, ends, begun = [], {}, time.time()
    shown = begun
    ctx = multiprocessing.get_context('fork')
    queue, jobs = ctx.Queue(), ctx.Queue()
    for f in files: jobs.put((f, 0))
    tmps = [tempfile.mkdtemp(prefix='sqllogic') for _ in range(a.jobs)]
    def start(k):
        p = ctx.Process(target=work, args=(a.library, tmps[k], jobs, queue), daemon=True)
        p.start()
        return p
    live = {k: start(k) for k in range(a.jobs)}
    crashed = collections.Counter()
    while len(ends) < len(files):
        if time.time() - shown > 60:
            shown = time.time()
            progress(rows)
        try:
            what, path, row = queue.get(timeout=1)
            if what == 'row': rows.append((path,) + tuple(row))
            else: ends[path] = row
            continue
        except Exception: pass
        for k, p in list(live.items()):
            at = json.load(open(tmps[k] + '/at')) if os.path.exists(tmps[k] + '/at') else None
            # a process that waits for a file holds the lock of the queue: it is left alone
            hung = p.is_alive() and at and at[0] not in ends and time.time() - os.path.getmtime(tmps[k] + '/at') > a.timeout
            if hung:
                p.kill()
                p.join()
            if not p.is_alive() and at and at[0] not in ends:
                if at[4] == 'taco': rows.append((at[0], at[2], at[3], 'crash', 'no answer in %d s' % a.timeout if hung else 'ended with %s' % p.exitcode))
                crashed[at[0]] += 1
                os.remove(tmps[k] + '/at')
                if crashed[at[0]] > 5: ends[at[0]] = 'crashes'
                else: jobs.put((at[0], at[1]))
                live[k] = start(k)
    for p in live.values():
        p.kill()
        p.join()
    for t in tmps: shutil.rmtree(t, ignore_errors=True)
    return rows, ends, time.time() - begun


def folder_of(path):
    m = re.search(r'/test/sql/(\w+)/', path) or re.search(r'/(\w+)/[^/]*$', path)
    return m[1] if m else '.'


def message_of(text):
    """A refusal without what is particular to the query."""
    text = re.sub(r'^\S*/set\d+: ', '', text)
    text = re.sub(r"^sql: '.*?': ", '', text, flags=re.S)
    text = re.sub(r'at (column|byte) \d+: ', '', text)
    text = re.sub(r"\(the first is '.*?'\)", '', re.sub(r"'\w+' must be in GROUP BY", "'x' must be in GROUP BY", text))
    return re.sub(r'\b\d+\b', 'N', text)[:120]


def write_lists(out, rows):
    for name in CLASSES[1:]:
        if name == 'both': continue
        with open(os.path.join(out, 'sqllogic.%s.txt' % {'type': 'types', 'name': 'names'}.get(name, name)), 'w') as f:
            mine = [r for r in rows if r[3] == name]
            if name in ('refused', 'accepted'):
                groups = collections.defaultdict(list)
                for r in mine: groups[message_of(r[4])].append(r)
                for message, list_ in sorted(groups.items(), key=lambda x: -len(x[1])):
                    f.write('%d x %s\n' % (len(list_), message))
                f.write('\n')
                for message, list_ in sorted(groups.items(), key=lambda x: -len(x[1])):
                    f.write('== %d x %s\n' % (len(list_), message))
                    for r in list_[:40]: f.write('  %s:%d  %s\n' % (r[0], r[1], ' '.join(r[2].split())[:300]))
            else:
                for r in mine: f.write('%s:%d\n  %s\n  %s\n\n' % (r[0], r[1], ' '.join(r[2].split())[:1500], r[4][:1500]))


def report(rows, meant, ends, seconds):
    """The table by folder. Returns (wrong, agree %, answered %)."""
    table = collections.defaultdict(collections.Counter)
    for r in rows: table[folder_of(r[0])][r[3]] += 1
    print('%-22s' % 'folder' + ''.join('%9s' % c for c in CLASSES) + ' answered')
    total = collections.Counter()
    for name, c in sorted(table.items()) + [('all', None)]:
        c = total if c is None else c
        if c is not total: total.update(c)
        theirs = sum(c[x] for x in ('equal', 'wrong', 'type', 'name', 'refused', 'crash'))
        print('%-22s' % name[:22] + ''.join('%9d' % c[x] for x in CLASSES) + ' %6.1f %%' % (100 * (theirs - c['refused'] - c['crash']) / max(theirs, 1)))
    both = sum(total[x] for x in ('equal', 'wrong', 'type', 'name'))
    theirs = both + total['refused'] + total['crash']
    agree, answered = 100 * (total['equal'] + total['wrong']) / max(both, 1), 100 * both / max(theirs, 1)
    print('%d files, %d of them not run or not to the end; %d differences are meant; %.0f s' % (len(ends), sum(bool(x) for x in ends.values()), meant, seconds))
    print('%d wrong values, %d crashes, names and types equal in %.2f %%, answered %.1f %% of %d' % (total['wrong'], total['crash'], agree, answered, theirs))
    return total['wrong'] + total['crash'], agree, answered


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('paths', nargs='+')
    ap.add_argument('--library', default='build/libtaco_stream.so')
    ap.add_argument('--out')
    ap.add_argument('--jobs', type=int, default=1)
    ap.add_argument('--timeout', type=int, default=60)
    ap.add_argument('--folders', help='only files in these folders, separated by commas')
    ap.add_argument('--every', type=int, default=1, help='only each N-th file')
    ap.add_argument('--wrong', type=int)
    ap.add_argument('--agree', type=float, default=0)
    ap.add_argument('--answered', type=float, default=0)
    ap.add_argument('--ends', action='store_true', help='say why files were not run')
    a = ap.parse_args()
    files = []
    for path in a.paths:
        if os.path.isdir(path): files += [os.path.join(d, f) for d, _, fs in os.walk(path) for f in fs if re.search(r'\.test(_slow|_coverage)?$|\.slt$', f)]
        else: files.append(path)
    files = sorted(f for f in files if not a.folders or folder_of(f) in a.folders.split(','))[::a.every]
    if not files: sys.exit('no files')
    patterns = accepted_list()
    def settle(rows):
        """The rows in order, those that are meant as equal; how many these are."""
        meant = [r[3] not in ('equal', 'both') and any(name == r[3] and p.search(r[2]) for name, p, _ in patterns) for r in rows]
        return sorted((r[:3] + ('equal',) + r[4:] if m else r for r, m in zip(rows, meant)), key=lambda r: r[:2]), sum(meant)
    if a.out: os.makedirs(a.out, exist_ok=True)
    rows, ends, seconds = gather(a, files, lambda rows: a.out and write_lists(a.out, settle(rows)[0]))
    kept, meant = settle(rows)
    wrong, agree, answered = report(kept, meant, ends, seconds)
    if a.ends:
        for why, n in collections.Counter(ends.values()).most_common(): print('%5d  %s' % (n, why))
    if a.out: write_lists(a.out, kept)
    return (a.wrong is not None and wrong > a.wrong) or agree < a.agree or answered < a.answered


if __name__ == '__main__':
    sys.exit(main())
