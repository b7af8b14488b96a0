#!/usr/bin/env python3
"""sql_table.py [--probe build/probe] [--write] FIXTURES - docs/sql.md, the table of functions, operators, types and casts of
the SQL subset beside DuckDB 1.5: as in DuckDB, differs (how), refused.

Every row is asked of both engines: the examples of duckdb_functions(), calls with a sample value for each declared type,
and CALLS below. Types and values must be equal for "as in DuckDB"; a value that is another needs a line in DIFFERS, or the
script fails. Without --write the table is made again and compared with docs/sql.md: it fails where they differ, so that the
document cannot drift from the code. What DuckDB itself refuses says nothing of us and is left out."""
import argparse, collections, json, os, re, subprocess, sys, tempfile
import duckdb

DOC = os.path.join(os.path.dirname(__file__), '..', '..', 'docs', 'sql.md')
FUNCTIONS = os.path.join(os.path.dirname(DOC), '..', 'src/sql/functions.c')

# A value for each type that duckdb_functions() declares.
SAMPLES = {'BOOLEAN': 'true', 'TINYINT': '3::TINYINT', 'SMALLINT': '3::SMALLINT', 'INTEGER': '3', 'BIGINT': '3::BIGINT', 'HUGEINT': '3::HUGEINT',
           'UTINYINT': '3::UTINYINT', 'USMALLINT': '3::USMALLINT', 'UINTEGER': '3::UINTEGER', 'UBIGINT': '3::UBIGINT', 'FLOAT': '0.5::FLOAT',
           'DOUBLE': '0.5::DOUBLE', 'DECIMAL': '1.25', 'VARCHAR': "'abc'", 'BLOB': "'ab'::BLOB", 'DATE': "DATE '2021-03-04'",
           'TIME': "TIME '05:06:07'", 'TIMESTAMP': "TIMESTAMP '2021-03-04 05:06:07'", 'TIMESTAMP WITH TIME ZONE': "TIMESTAMPTZ '2021-03-04 05:06:07+00'",
           'TIMESTAMP_S': "TIMESTAMP_S '2021-03-04 05:06:07'", 'TIMESTAMP_MS': "TIMESTAMP_MS '2021-03-04 05:06:07'", 'TIMESTAMP_NS': "TIMESTAMP_NS '2021-03-04 05:06:07'",
           'ANY': '3', 'T': '3', 'T[]': '[3, 4]', 'ANY[]': '[3, 4]', 'VARCHAR[]': "['a', 'b']", 'BIGINT[]': '[1, 2]', 'BOOLEAN[]': '[true, false]',
           'DOUBLE[]': '[0.5::DOUBLE, 2]', 'FLOAT[]': '[0.5::FLOAT, 2]', 'MAP(K, V)': "MAP {'a': 1}", 'K': "'a'", 'STRUCT': "{'a': 1}",
           'INTERVAL': 'INTERVAL 1 DAY', 'UUID': "'00000000-0000-0000-0000-000000000001'::UUID"}

# Calls that neither examples nor samples make.
CALLS = {
    'strftime': ["strftime(DATE '2021-03-04', '%a %d.%m.%Y')"], 'strptime': ["strptime('4.3.2021', '%d.%m.%Y')"], 'try_strptime': ["try_strptime('x', '%Y')"],
    'date_part': ["date_part('year', DATE '2021-03-04')"], 'date_trunc': ["date_trunc('month', TIMESTAMP '2021-03-04 05:06:07')"],
    'date_diff': ["date_diff('day', DATE '2021-03-04', DATE '2021-04-05')"], 'date_sub': ["date_sub('month', DATE '2021-03-04', DATE '2021-05-05')"],
    'list_aggregate': ["list_aggregate([3, 4], 'sum')", "list_aggregate([3, 4], 'max')"], 'string_agg': ["string_agg(t_string, '-' ORDER BY id)"],
    'quantile_cont': ['quantile_cont(t_int32, 0.25)', 'quantile_cont(t_float64, [0.25, 0.5])'], 'quantile_disc': ['quantile_disc(t_int32, 0.25)'],
    'quantile': ['quantile(t_int32, 0.25)'], 'histogram': ['map_keys(histogram(t_int8))', 'map_values(histogram(t_int8))'], 'max': ['max(t_int32, 2)'], 'min': ['min(t_int32, 2)'],
    'arg_max': ['arg_max(id, t_int32)', 'arg_max(id, t_int32, 2)'], 'arg_min': ['arg_min(id, t_int32)'], 'corr': ['corr(t_float64, t_int32)'],
    'struct_pack': ['struct_pack(a := 1, b := [2])'], 'struct_extract': ["struct_extract({'a': 1}, 'a')"], 'map': ["map_keys(map(['a'], [1]))"],
    'regexp_extract': ["regexp_extract('a1b22', '([a-z])(\\d+)', 2)", "regexp_extract('a1', '([a-z])(\\d)', ['x', 'y'])"],
    'regexp_replace': ["regexp_replace('hello', 'l', 'L', 'g')"], 'concat_ws': ["concat_ws('-', 'a', NULL, 3)"], 'list_slice': ['list_slice([1, 2, 3], 2, 3)', 'list_slice([1, 2, 3], 3, 1, -1)'],
    'make_timestamp': ['make_timestamp(2021, 3, 4, 5, 6, 7.5)'], 'make_time': ['make_time(5, 6, 7.5)'], 'unnest': ['unnest([1, 2])'],
    **{n: ['%s([3, 4], 5)' % n] for n in ('list_append', 'array_append', 'array_push_back')}, **{n: ['%s(5, [3, 4])' % n] for n in ('list_prepend', 'array_prepend')},
    'array_push_front': ['array_push_front([3, 4], 5)'], 'array_to_string': ["array_to_string(['a', 'b'], '-')"], 'cardinality': ["cardinality(MAP {'a': 1})"], 'list_bool_and': ['list_bool_and([true, false])'],
    'list_bool_or': ['list_bool_or([true, false])'],
    **{'to_' + n: ["DATE '2021-03-04' + to_%s(2)" % n] for n in 'microseconds milliseconds seconds minutes hours days weeks months quarters years decades centuries millennia'.split()},
    'hash': ["hash('a', 1.5, NULL)", 'hash([1])'], 'map_from_entries': ["map_keys(map_from_entries([{'k': 'a', 'v': 1}]))"], 'row': ['row(1, 2)']}

# Functions that are not deterministic, or tell of the engine itself: a value says nothing.
OPEN = {'random', 'uuid', 'uuidv4', 'uuidv7', 'gen_random_uuid', 'setseed', 'now', 'today', 'current_date', 'current_time', 'get_current_time', 'get_current_timestamp',
        'current_timestamp', 'transaction_timestamp', 'localtimestamp', 'current_localtime', 'current_localtimestamp', 'current_database', 'current_schema', 'current_schemas', 'version', 'current_query',
        'txid_current', 'current_setting', 'current_connection_id', 'current_query_id', 'current_transaction_id', 'age', 'getvariable', 'write_log', 'sleep_ms', 'approx_quantile',
        'reservoir_quantile', 'approx_top_k', 'vector_type', 'stats', 'nextval', 'currval', 'in_search_path', 'error', 'pi_test'}

# Where a value or type is another, and why that is so.
DIFFERS = {
    'approx_count_distinct': 'exact, not an estimate', 'list_approx_count_distinct': 'exact, not an estimate',
    'list_distinct': 'in the order of the first occurrences; in DuckDB in no order', 'array_distinct': 'as list_distinct',
    'list_intersect': 'in the order of the first list; in DuckDB in no order', 'array_intersect': 'as list_intersect',
    'list_grade_up': 'equal elements keep their order; in DuckDB they do not', 'array_grade_up': 'as list_grade_up', 'grade_up': 'as list_grade_up',
    'avg': 'the DOUBLE nearest to the exact mean of whole numbers and decimals; DuckDB rounds several times', 'mean': 'as avg', 'favg': 'as avg', 'list_avg': 'as avg',
    'date_diff': 'weeks begin on Monday; DuckDB 1.5 counts spans of seven days', 'datediff': 'as date_diff', 'epoch_ms': 'the floor before 1970 as well; DuckDB 1.5 truncates',
    'strftime': '%n of nanoseconds has nine digits',
}

OPERATORS = [('+ - * / // %', ['7 + 2', '7 - 2', '7 * 2', '7 / 2', '7 // 2', '7 % 2', '- 7', '+ 7']), ('** ^', ['2 ** 3', '2 ^ 3']),
             ('& | << >> ~', ['6 & 3', '6 | 3', '1 << 3', '8 >> 1', '~5']), ('@ (magnitude), ! (factorial)', ['@(-3)', '5!']),
             ('= <> != < <= > >= ==', ['1 = 1', '1 <> 2', '1 != 2', '1 < 2', '1 <= 2', '1 > 2', '1 >= 2', '1 == 1']),
             ('AND OR NOT', ['true AND NULL', 'true OR NULL', 'NOT true']), ('IS [NOT] NULL, ISNULL, NOTNULL', ['1 IS NULL', '1 IS NOT NULL', '1 ISNULL', '1 NOTNULL']),
             ('IS [NOT] TRUE, FALSE', ['true IS TRUE', 'true IS NOT FALSE']), ('IS [NOT] UNKNOWN', ['NULL IS UNKNOWN']), ('IS [NOT] DISTINCT FROM', ['1 IS DISTINCT FROM NULL', '1 IS NOT DISTINCT FROM 1']),
             ('[NOT] BETWEEN', ['1 BETWEEN 0 AND 2', '1 NOT BETWEEN 0 AND 2']), ('[NOT] IN (...)', ['1 IN (1, 2)', '1 NOT IN (1, NULL)']), ('[NOT] IN list', ['1 IN [1, 2]', '1 NOT IN [2]']),
             ('[NOT] LIKE, ILIKE, ESCAPE; ~~ and kin', ["'a_b' LIKE 'a!_b' ESCAPE '!'", "'A' ILIKE 'a'", "'a' NOT LIKE 'b'", "'a' ~~ 'a'", "'a' !~~* 'A'"]),
             ('[NOT] SIMILAR TO, ~, !~', ["'abc' SIMILAR TO 'a.*'", "'abc' NOT SIMILAR TO 'b'", "'abc' ~ 'a.c'", "'abc' !~ 'b'"]), ('GLOB, ~~~', ["'abc' GLOB 'a*'", "'abc' ~~~ 'a?c'"]),
             ('||', ["'a' || 'b'", '[1] || [2]']), ('^@', ["'abc' ^@ 'a'"]), ('@> <@ && of lists', ['[1, 2] @> [1]', '[1] <@ [1, 2]', '[1] && [1]']), ('<-> <=>', ['[1.0, 2] <-> [2.0, 3]', '[1.0, 2] <=> [2.0, 3]']),
             ('[i] [a:b] [a:b:s]', ['[1, 2, 3][2]', "'abc'[2:3]", '[1, 2, 3][1:3:2]']), ("struct.field, struct['field']", ["{'a': 1}['a']", 't_struct.a']), ("map[key]", ["MAP {'a': 1}['a']"]),
             ('CASE, COALESCE, IF, NULLIF', ['CASE WHEN true THEN 1 ELSE 2 END', 'CASE 1 WHEN 1 THEN 2 END', 'coalesce(NULL, 1)', 'if(true, 1, 2)', 'nullif(1, 1)']),
             ('CAST, ::, TRY_CAST', ["CAST('1' AS INTEGER)", "'1'::INTEGER", "TRY_CAST('x' AS INTEGER)"]), ("typed literals, INTERVAL", ["DATE '2021-03-04'", "DATE '2021-03-04' + INTERVAL 1 MONTH", "DATE '2021-03-04' + INTERVAL (1 + 1) DAY"]),
             ("[a, b], {'a': b}, MAP {a: b}", ['[1, 2]', "{'a': 1}", "map_keys(MAP {'a': 1})"]), ('x -> y, list comprehensions', ['list_transform([1], x -> x + 1)']), ('OVER (...)', ['sum(1) OVER ()']),
             ('FILTER, DISTINCT, ORDER BY in aggregates', ['sum(1) FILTER (WHERE true)', 'count(DISTINCT 1)', 'string_agg(id ORDER BY id)']), ('WITHIN GROUP', ['quantile_cont(0.5) WITHIN GROUP (ORDER BY t_int32)'])]

TYPES = {'BOOLEAN': 'true', 'TINYINT': '3', 'SMALLINT': '300', 'INTEGER': '70000', 'BIGINT': '5000000000', 'HUGEINT': '7', 'UTINYINT': '200', 'USMALLINT': '60000', 'UINTEGER': '4000000000', 'UBIGINT': '18446744073709551615',
         'FLOAT': '0.5', 'DOUBLE': '1e100', 'DECIMAL(9,2)': '1.25', 'VARCHAR': "'12'", 'BLOB': "'ab'", 'DATE': "'2021-03-04'", 'TIME': "'05:06:07'", 'TIMESTAMP': "'2021-03-04 05:06:07.5'",
         'TIMESTAMP_S': "'2021-03-04 05:06:07'", 'TIMESTAMP_MS': "'2021-03-04 05:06:07'", 'TIMESTAMP_NS': "'2021-03-04 05:06:07'", 'TIMESTAMPTZ': "'2021-03-04 05:06:07+00'", 'UUID': "'00000000-0000-0000-0000-000000000001'",
         'INTERVAL': "'1 day'", 'INTEGER[]': '[1, 2]', 'STRUCT(a INTEGER)': "{'a': 1}", 'MAP(VARCHAR, INTEGER)': "MAP {'a': 1}", 'BIT': "'101'", 'TIMETZ': "'05:06:07+00'", 'JSON': "'1'"}


class Engines:
    """Both engines over one table."""
    def __init__(self, probe, fixture):
        self.probe, self.fixture, self.con = probe, fixture, duckdb.connect()
        self.con.execute("SET threads=1; SET TimeZone='UTC'; SET errors_as_json=false")
        import zipfile
        self.tmp = tempfile.mkdtemp()
        with zipfile.ZipFile(fixture) as z: z.extract('METADATA/level0.parquet', self.tmp)
        self.con.execute("CREATE VIEW level0 AS SELECT * FROM read_parquet('%s/METADATA/level0.parquet')" % self.tmp)

    def theirs(self, text):
        try:
            types = [d[1] for d in self.con.execute('DESCRIBE ' + text).fetchall()]
            names = ['c%d' % i for i in range(len(types))]
            rows = self.con.execute('SELECT %s FROM (%s) AS t(%s)' % (', '.join('CAST(%s AS VARCHAR)' % n for n in names), text, ', '.join(names))).fetchall()
            return {'types': ['DECIMAL(38,0)' if t == 'HUGEINT' else t for t in types], 'rows': [list(r) for r in rows]}
        except (duckdb.Error, UnicodeDecodeError, RuntimeError):
            return None

    def ours(self, texts):
        """All queries in one run of the probe."""
        file = os.path.join(self.tmp, 'batch')
        open(file, 'w').write('\n'.join([self.fixture] + texts) + '\n')
        run = subprocess.run([self.probe, 'sql', file], capture_output=True)
        lines = run.stdout.decode().splitlines()
        if run.returncode or len(lines) != len(texts):
            sys.exit('the probe ended with %d after %d of %d, at %s: %s' % (run.returncode, len(lines), len(texts), texts[min(len(lines), len(texts) - 1)], run.stderr.decode()[-800:]))
        return [json.loads(l) for l in lines]


def close(a, b):
    if a == b or {a, b} == {'nan', '-nan'}: return True
    try: return abs(float(a) - float(b)) <= 1e-12 * max(abs(float(a)), abs(float(b)))
    except (TypeError, ValueError):
        fa, fb = re.findall(r'-?\d+\.\d+(?:e[+-]\d+)?', a or ''), re.findall(r'-?\d+\.\d+(?:e[+-]\d+)?', b or '')
        return bool(fa) and len(fa) == len(fb) and re.sub(r'-?\d+\.\d+(?:e[+-]\d+)?', '#', a) == re.sub(r'-?\d+\.\d+(?:e[+-]\d+)?', '#', b) and all(close(x, y) for x, y in zip(fa, fb))


def verdict(ours, theirs):
    """'equal', 'refused' or 'other' for one query that DuckDB answers."""
    if 'error' in ours: return 'refused'
    theirs['types'] = [t.replace('"', '') for t in theirs['types']]
    types = [o if o == 'MAP' and t.startswith('MAP(') or t == 'INTEGER' and all(r[i] is None for r in theirs['rows']) else t for i, (o, t) in enumerate(zip(ours['types'], theirs['types']))]
    same = [t.replace('"', '') for t in ours['types']] == types and len(ours['rows']) == len(theirs['rows'])
    return 'equal' if same and all(close(x, y) for a, b in zip(ours['rows'], theirs['rows']) for x, y in zip(a, b)) else 'other'


def function_calls(con):
    """name -> (kind, calls) of everything that duckdb_functions() has."""
    out = collections.OrderedDict()
    rows = con.execute("SELECT function_name, function_type, parameter_types, examples FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate') AND schema_name = 'main' AND database_name = 'system' "
                       "AND NOT starts_with(function_name, '__internal') AND NOT starts_with(function_name, 'icu_') ORDER BY ALL").fetchall()
    for name, kind, types, examples in rows:
        kind, calls = out.setdefault(name, (kind, []))
        word = re.fullmatch(r'\w+', name)
        for e in examples or []:
            if word and name in e and ';' not in e and '\n' not in e: calls.append(e)
        if word and all(t in SAMPLES for t in types):
            args = [SAMPLES[t] for t in types]
            calls.append('%s(%s)' % (name, ', '.join(args)))
            if kind == 'aggregate' and types == ['ANY'] or types == ['T'] and kind == 'aggregate': calls.append('%s(t_int32)' % name)
            if kind == 'aggregate' and types in (['DOUBLE'], ['DOUBLE', 'DOUBLE']): calls.append('%s(%s)' % (name, ', '.join(['t_float64', 't_int32'][:len(types)])))
    for name, calls in CALLS.items(): out.setdefault(name, ('scalar', []))[1].extend(calls)
    return {n: (k, list(dict.fromkeys(c))[:40]) for n, (k, c) in out.items() if re.fullmatch(r'\w+', n)}


LETTERS = {'t': "'abc'", 'i': '3', 'd': '0.5', 'b': 'true', 'w': "DATE '2021-03-04'", 'f': '0.5', 'n': '3', 'l': '[3, 4]', 'B': "'ab'::BLOB", 'W': "TIMESTAMP '2021-03-04 05:06:07'"}


def own_functions():
    """name -> calls of every function in the table of src/sql/functions.c: DuckDB has some as macros, or in extensions."""
    out = collections.OrderedDict()
    for name, least, args in re.findall(r'^\s+\{"(\w+)",\s*TACO__FUNC_\w+,\s*(\d+),\s*\d+,\s*"([^"]*)"', open(FUNCTIONS).read(), re.M):
        calls = out.setdefault(name, [])
        letters = (args + args[-1:] * 9)[:int(least)]
        if 'g' in letters: continue
        for any_value in ('3', '[3, 4]', "MAP {'a': 1}"):
            calls.append('%s(%s)' % (name, ', '.join(LETTERS.get(l, any_value) for l in letters)))
    return {n: list(dict.fromkeys(c)) for n, c in out.items()}


def say(answers, name):
    """What the table says of the answers to a row's queries; None where DuckDB answers none of them."""
    if not answers: return None
    count = collections.Counter(v for _, v in answers)
    if count['other']: return 'differs: ' + DIFFERS[name] if name in DIFFERS else 'DIFFERS: ' + '; '.join(q for q, v in answers if v == 'other')[:300]
    if not count['refused']: return 'differs: ' + DIFFERS[name] if name in DIFFERS else 'as in DuckDB'
    if not count['equal']: return 'refused'
    return ('differs: ' + DIFFERS[name] if name in DIFFERS else 'as in DuckDB') + '; refused: ' + ', '.join('`%s`' % q.replace('|', '\\|') for q, v in answers if v == 'refused')[:160].rsplit(',', 1)[0].rstrip('`') + '`'


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('fixtures')
    ap.add_argument('--probe', default='build/probe')
    ap.add_argument('--write', action='store_true')
    a = ap.parse_args()
    e = Engines(a.probe, os.path.join(a.fixtures, 'good/types/types.tacozip'))
    sections = []  # (title, head, [(name, queries)])
    functions = function_calls(e.con)
    own = own_functions()
    for name in sorted(own):
        if name not in functions: functions[name] = ('scalar', own[name])
    functions = dict(sorted(functions.items()))
    for kind, title in (('scalar', 'Functions'), ('aggregate', 'Aggregates')):
        sections.append((title, 'function', [(n, c) for n, (k, c) in functions.items() if k == kind and n not in OPEN]))
    sections.append(('Operators and syntax', 'operator', OPERATORS))
    sections.append(('Types', 'type', [(t, ['typeof(CAST(%s AS %s))' % (v, t), 'CAST(%s AS %s)' % (v, t)]) for t, v in TYPES.items()]))
    sections.append(('Casts', 'from', [(t, ['CAST(CAST(%s AS %s) AS %s)' % (v, t, u) for u in TYPES if u != t]) for t, v in TYPES.items()]))
    queries, wanted = [], []
    for _, _, rows in sections:
        for _, calls in rows:
            for c in calls:
                text = 'SELECT %s FROM level0%s' % (c, '')
                want = e.theirs(text)
                if want is not None and '\n' not in c:
                    queries.append(text)
                    wanted.append((c, want))
    got = {c: verdict(o, w) for (c, w), o in zip(wanted, e.ours(queries))}
    out, bad, total = [__import__('textwrap').dedent('''\
        # SQL beside DuckDB

        Made by `python3 tests/interop/sql_table.py --write FIXTURES`, which runs every row in both engines, and checked by the same
        script: do not edit. "As in DuckDB" is the same types and values as DuckDB %s for the examples of its documentation and a value
        of each declared type; "refused" is an error that names what is not supported: use DuckDB with the taco extension then.
        ''') % duckdb.__version__], 0, collections.Counter()
    for title, head, rows in sections:
        out.append('\n## %s\n\n| %s | |\n| --- | --- |' % (title, head))
        refused = []
        for name, calls in rows:
            answers = [(c, got[c]) for c in calls if c in got]
            if title == 'Casts':
                equal, no = [c for c, v in answers if v == 'equal'], [re.fullmatch(r'CAST\(.* AS (.*)\)', c)[1] for c, v in answers if v == 'refused']
                other = [c for c, v in answers if v == 'other']
                text = ('DIFFERS: ' + '; '.join(other) if other else 'refused' if not equal else 'as in DuckDB' + ('; refused to ' + ', '.join(no) if no else '')) if answers else None
            else:
                text = say(answers, name)
            if not text: continue
            total[text.split(':')[0].split(';')[0]] += 1
            if text.startswith('DIFFERS'):
                bad += 1
                print('%s: %s' % (name, text))
            if text == 'refused' and head == 'function': refused.append(name)
            else: out.append('| %s | %s |' % ('`' + name.replace('|', '\\|') + '`', text))
        if refused: out.append('\nRefused: ' + ', '.join('`%s`' % n for n in refused) + '.')
    told = set(re.findall(r'`(\w+)`', '\n'.join(out)))
    alone = sorted(n for n in own if n not in told and n not in OPEN)
    out.append('\nNot compared, as in DuckDB\'s spatial extension: ' + ', '.join('`%s`' % n for n in alone) + '.')
    out.append('\nNot compared, as they have no fixed value: ' + ', '.join('`%s`' % n for n in sorted(OPEN) if n in functions) + '.')
    text = '\n'.join(out) + '\n'
    print('%d queries; %s; %d differ without a reason' % (len(queries), ', '.join('%d %s' % (n, k) for k, n in sorted(total.items())), bad))
    if a.write:
        os.makedirs(os.path.dirname(DOC), exist_ok=True)
        open(DOC, 'w').write(text)
    elif not os.path.exists(DOC) or open(DOC).read() != text:
        print('docs/sql.md is not what the engines say: run sql_table.py --write')
        return 1
    return bad != 0


if __name__ == '__main__':
    sys.exit(main())
