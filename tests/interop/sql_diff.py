#!/usr/bin/env python3
"""sql_diff.py [--seed N] [--count N] [--outer] [--probe build/probe] FIXTURES - random queries of the SQL subset, run by the probe
and by DuckDB 1.5 over the level tables of the fixtures: same types, same rows, same errors-or-not.

Rows are compared as a list when the query orders them wholly, as a multiset otherwise; DOUBLE and FLOAT to 12 and 6 digits,
since sums depend on the order of their terms. Averages of whole numbers and decimals do not: as many queries again as a tenth of
the others compare avg, favg and list_avg bit by bit with the exact mean, as DuckDB rounds it several times.
The seed is printed; a run with the same seed asks the same queries.
With --outer joins may be RIGHT and FULL, too.

Deliberate differences, which the generator avoids:
- INTERVAL results, lists built by queries, window functions, subqueries and set operations are outside of the subset.
- HUGEINT comes out as DECIMAL(38, 0): Arrow has no wider integer (DuckDB's own Arrow export does the same).
- substr with a start in front of the text: DuckDB counts the missing characters, but not for ASCII columns; ours always does.
- Which zero GREATEST, LEAST, MIN, MAX and GROUP BY take of 0.0 and -0.0, which are equal, is open in both.
- A NaN whose sign bit is set is 'nan' as text, in DuckDB '-nan'; which operations set it is the machine's matter.
- A constant that turns out NULL (2 % 0, a cast that fails under TRY_CAST) makes DuckDB type what is around it
  as INTEGER; ours keeps the type.
- round(DECIMAL, -n) is not in the subset; text of dates inside of lists is not quoted.
- LIKE with a pattern that ends in its escape is an error here; in DuckDB only where a text gets so far.
- date_diff('week') counts Mondays; DuckDB 1.5 counts spans of seven days. Nanoseconds and epoch_ms before 1970 are floors; there they are truncated.
- Parts of instants before the year 1 are ICU's in DuckDB; instants are not mixed with TIMESTAMPs of seconds.
- DuckDB may swap the sides of a join, and its rows then come in another order: list, first, last are not asked there.
- A float that rounds to one more than the greatest integer of a type (255.5 as UTINYINT) wraps around in DuckDB's cast;
  ours says that it does not fit.
- Where DuckDB's optimizer turns 1 + x = 2 into x = 1 an overflow of the sum goes unseen; ours computes what is written.
- A list of a column's values within a join comes in the order of the join, which is open.
- Padding rows are hidden, so tables with padding are not used here.
- A join of millions of pairs may need more than limits.max_memory: such queries are counted, one in 2,000 at most.
- Within AND and OR, DuckDB may or may not compute a side that the other decides, but in CASE: casts that fail are in conditions of CASE only.
"""
import argparse, calendar, collections, fractions, io, json, math, os, random, re, struct, subprocess, sys, tempfile, zipfile
import duckdb

TABLES = [('good/deep5', 'deep5.tacozip'), ('good/types', 'types.tacozip'), ('good/many_rg', 'many_rg.tacozip'), ('good/geo_stac', 'geo_stac.tacozip'),
          ('good/nested', 'nested.tacozip'), ('good/names', 'names.tacozip'), ('good/geo_nested', 'geo_nested.tacozip'),
          ('good/flat', 'flat.tacozip'), ('good/types_exotic', 'types_exotic.tacozip')]
INTS = ['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT']


def q(name): return '"' + name.replace('"', '""') + '"'
def lit(text): return "'" + text.replace("'", "''") + "'"


class Dataset:
    def __init__(self, path, tmp):
        self.path, self.con, self.levels = path, duckdb.connect(), {}
        self.con.execute("SET threads=1; SET TimeZone='UTC'")
        with zipfile.ZipFile(path) as z:
            for name in z.namelist():
                m = re.fullmatch(r'METADATA/(level\d)\.parquet', name)
                if m:
                    file = os.path.join(tmp, os.path.basename(path) + '_' + os.path.basename(name))
                    open(file, 'wb').write(z.read(name))
                    millis = [r[0] for r in self.con.execute("SELECT name FROM parquet_schema(%s) WHERE logical_type LIKE 'TimestampType%%MILLIS=Mil%%' OR converted_type = 'TIMESTAMP_MILLIS'" % lit(file)).fetchall()]
                    cast = ', '.join('CAST(%s AS TIMESTAMP_MS) AS %s' % (q(c), q(c)) for c in millis)  # as the reference, which reads through Arrow
                    self.con.execute('CREATE TABLE %s AS SELECT *%s FROM read_parquet(%s)' % (m[1], ' REPLACE (%s)' % cast if cast else '', lit(file)))
                    cols = [(r[0], r[1]) for r in self.con.execute('DESCRIBE ' + m[1]).fetchall()]
                    self.levels[m[1]] = [c for c in cols if not c[1].startswith(('INTERVAL', 'GEOMETRY'))]
                    self.whole = getattr(self, 'whole', {})
                    self.whole[m[1]] = len(cols) == len(self.levels[m[1]])
                    if not any(c[0] == 'internal:gdal_vsi' for c in cols):
                        self.con.execute('ALTER TABLE %s ADD COLUMN "internal:gdal_vsi" VARCHAR' % m[1])
                        self.con.execute("UPDATE %s SET \"internal:gdal_vsi\" = '/vsisubfile/' || \"internal:offset\" || '_' || \"internal:size\" || ',' || %s"
                                         % (m[1], lit(os.path.realpath(path))))
                        self.levels[m[1]].append(('internal:gdal_vsi', 'VARCHAR'))
        for n in range(len(self.levels)): self.flat(n)
        try: self.con.execute('LOAD spatial'); self.spatial = True
        except duckdb.Error: self.spatial = False
        self.samples = {}
        for level, cols in self.levels.items():
            for c, t in cols:
                if t == 'VARCHAR':
                    rows = self.con.execute('SELECT DISTINCT %s FROM %s WHERE %s IS NOT NULL ORDER BY 1 LIMIT 8' % (q(c), level, q(c))).fetchall()
                    self.samples[level, c] = [r[0] for r in rows if '\n' not in r[0]]


    def flat(self, n):
        """The view lN as tacoreader makes it: all rows of a level with the columns of their ancestors, paths too."""
        names = ['level%d' % k for k in range(n + 1)]
        if any(x not in self.levels or x in names and not {'internal:parent_id', 'internal:current_id'} <= {c for c, _ in self.levels[x]} for x in names): return
        cols = [(k, c, t) for k in range(n, -1, -1) for c, t in self.levels['level%d' % k] if c not in ('internal:parent_id', 'internal:current_id')]
        text = ', '.join('t%d.%s AS %s' % (k, q(c), q('l%d:%s' % (k, c))) for k, c, _ in cols)
        text += ' FROM level%d t%d' % (n, n)
        for k in range(n - 1, -1, -1): text += ' JOIN level%d t%d ON t%d."internal:parent_id" = t%d."internal:current_id"' % (k, k, k + 1, k)
        self.con.execute('CREATE TABLE l%d AS SELECT %s ORDER BY t%d.rowid' % (n, text, n))
        self.levels['l%d' % n] = [('l%d:%s' % (k, c), t) for k, c, t in cols]
        self.whole['l%d' % n] = all(self.whole[x] for x in names)


def fields(t):
    """(name, type) of a STRUCT."""
    out, depth, part = [], 0, ''
    for ch in t[len('STRUCT('):-1] + ',':
        depth += (ch in '([') - (ch in ')]')
        if ch == ',' and not depth:
            m = re.fullmatch(r'("(?:[^"]|"")*"|\S+) (.*)', part.strip())
            out.append((m[1].strip('"').replace('""', '"'), m[2]))
            part = ''
        else: part += ch
    return out


def kind(t):
    if t in INTS: return 'int'
    if t in ('FLOAT', 'DOUBLE'): return 'float'
    if t.startswith('DECIMAL') and not t.endswith(']'): return 'dec'
    if t == 'VARCHAR': return 'text'
    if t == 'BOOLEAN': return 'bool'
    if t == 'DATE': return 'date'
    if t in ('TIMESTAMP', 'TIMESTAMP_NS', 'TIMESTAMP_MS', 'TIMESTAMP_S', 'TIMESTAMP WITH TIME ZONE'): return 'ts'
    if t.endswith('[]'): return 'list'
    if t.startswith('STRUCT'): return 'struct'
    if t == 'BLOB': return 'blob'
    return 'other'


class Gen:
    def __init__(self, rnd, ds, joins=()):
        self.r, self.ds, self.joins = rnd, ds, joins

    def one(self, *options): return self.r.choice(options)

    def cols(self, *kinds): return [c for c in self.scope if kind(c[1]) in kinds]

    def col(self, *kinds):
        found = self.cols(*kinds)
        return self.r.choice(found)[0] if found else None

    def num(self, depth):
        r, c = self.r, self.col('int', 'float', 'dec')
        k = r.randrange(16)
        if depth <= 0 or k < 4:
            if c and r.random() < 0.7: return c
            return self.one('0', '1', '2', '3', '-1', '7', '100', '1.5', '-0.25', '2.50', '1e1', '0.5e0')
        if k < 8:
            return '(%s %s %s)' % (self.num(depth - 1), self.one('+', '-', '*', '/', '//', '%'), self.num(depth - 1))
        if k == 8: return '%s(%s)' % (self.one('abs', 'floor', 'ceil', 'round', 'sign'), c or '2.5')
        if k == 9: return self.one('length(%s)', 'strlen(%s)', "strpos(%s, 'a')") % self.text(depth - 1)
        if k == 14: return self.one('ascii(%s)', "instr(%s, 'i')") % self.text(depth - 1)
        if k == 15: return self.one('mod(%s, %s)' % (c or '7', self.one('3', '2.5', '0', '-4')), 'sqrt(abs(%s))' % (c or '2'), 'trunc(%s)' % (c or '-2.7'), 'round(%s, %s)' % (c or '2.345', self.one('1', '0')))
        if k == 10: return 'coalesce(%s, %s)' % (self.num(depth - 1), self.num(depth - 1))
        if k == 11: return 'CASE WHEN %s THEN %s ELSE %s END' % (self.cond(depth - 1), self.num(depth - 1), self.num(depth - 1))
        if k == 12:
            x = self.one(self.num(depth - 1), self.text(depth - 1))
            if '"' not in x: x = self.r.choice(self.scope)[0] if self.cols('int', 'text', 'float', 'dec') == [] else self.col('int', 'text', 'float', 'dec')
            return 'TRY_CAST(%s AS %s)' % (x, self.one(*INTS, 'DOUBLE', 'FLOAT', 'DECIMAL(9,2)', 'DECIMAL(20,4)', 'HUGEINT'))
        return self.one('nullif(%s, %s)', 'greatest(%s, %s)', 'least(%s, %s)') % (self.num(depth - 1), self.num(depth - 1))

    def text(self, depth):
        r, c = self.r, self.col('text')
        k = r.randrange(19)
        if depth <= 0 or k < 5 or not c:
            if c and r.random() < 0.8: return c
            return lit(self.one('', 'a', 'abc', 'train', '10', 'Zé', 'a_b', ' x '))
        t, n = self.text(depth - 1), self.one('-3', '-1', '0', '1', '2', '4', '9')
        if k < 8: return '%s(%s)' % (self.one('upper', 'lower', 'trim', 'ltrim', 'rtrim', 'reverse'), t)
        if k == 16: return "%s(%s, %s, %s)" % (self.one('lpad', 'rpad'), t, self.one('0', '3', '8'), lit(self.one('x', 'ab')))
        if k == 17: return "split_part(%s, %s, %s)" % (t, lit(self.one('_', 'a', ' ')), self.one('1', '2', '-1', '5'))
        if k == 18: return "concat_ws(%s, %s, %s)" % (lit(self.one('-', '')), t, self.text(0))
        if k == 8: return 'substr(%s, %s, %s)' % (t, n.replace('-3', '3'), self.one('0', '1', '2', '5'))
        if k == 9: return '%s(%s, %s)' % (self.one('left', 'right', 'repeat'), t, n)
        if k == 10: return '(%s || %s)' % (t, self.one(self.text(depth - 1), lit('-')))
        if k == 11: return "replace(%s, %s, 'X')" % (t, lit(self.one('a', '', 'ai')))
        if k == 12: return 'CAST(%s AS VARCHAR)' % self.one(self.num(0), self.col('int', 'bool', 'date', 'ts', 'dec', 'float') or '1')
        if k == 13: return 'coalesce(%s, %s)' % (t, lit('none'))
        if k == 14: return 'concat(%s, %s)' % (t, self.num(0))
        return '%s[%s]' % (c, self.one('1', '-1', '2:', ':2', '2:3'))

    def when(self):
        c = self.col('date', 'ts')
        if c and self.r.random() < 0.8: return c
        return self.one("DATE '2021-06-15'", "TIMESTAMP '2022-01-31 10:20:30.5'", "DATE '2020-02-29'")

    def instant(self):
        """A DATE or TIMESTAMP of any time, at the ends of months and beyond ends of calendars too."""
        r = self.r
        year, month = self.one(r.randrange(1900, 2100), r.randrange(1, 3000), 2000, 2020, 1970), r.randrange(1, 13)
        day = min(self.one(28, 29, 30, 31, 1, r.randrange(1, 29)), calendar.monthrange(year, month)[1])
        if r.random() < 0.05: return "'%sinfinity'::%s" % (self.one('', '-'), self.one('DATE', 'TIMESTAMP'))
        text = '%04d-%02d-%02d%s' % (year, month, day, self.one('', '', '', '', '', ' (BC)'))
        if r.random() < 0.4: return "'%s'::DATE" % text
        return "'%s %02d:%02d:%02d.%06d'::%s" % (text, r.randrange(24), r.randrange(60), r.randrange(60), self.one(0, 500000, r.randrange(10 ** 6)),
                                                 self.one('TIMESTAMP', 'TIMESTAMP', 'TIMESTAMP', 'TIMESTAMP_MS', 'TIMESTAMP_S'))

    def between(self):
        """Every unit of the functions that take one, on instants and columns."""
        unit = self.one('year', 'month', 'day', 'decade', 'century', 'millennium', 'microsecond', 'millisecond', 'second', 'minute', 'hour', 'epoch',
                        'dow', 'isodow', 'week', 'doy', 'quarter', 'yearweek', 'isoyear', 'julian', 'dayofweek', 'weekday', 'dayofyear')
        zoned = lambda c: any(n == c and t == 'TIMESTAMP WITH TIME ZONE' for n, t in self.scope)
        c = self.when()
        a, b = (self.one(self.instant(), self.instant(), self.instant() if zoned(c) else c) for _ in range(2))
        return self.one("date_diff('%s', %s, %s)" % (unit, a, b), "date_sub('%s', %s, %s)" % (unit, a, b), "date_part('%s', %s)" % (self.one(unit, unit, 'era'), a), "date_trunc('%s', %s)" % (unit, a),
                        '%s(%s)' % (self.one('last_day', 'dayname', 'isfinite', 'epoch_ms', 'year', 'century'), a))

    def whenexpr(self):
        w = self.when()
        return self.one(w, w, "date_trunc('%s', %s)" % (self.one('year', 'month', 'day', 'hour', 'week', 'quarter', 'minute'), w),
                        '%s %s INTERVAL %s' % (w, self.one('+', '-'), self.one("1 DAY", "3 MONTH", "'2 hours'", "1 YEAR")),
                        'CAST(%s AS DATE)' % w, 'last_day(%s)' % w)

    def part(self):
        w = self.when()
        return self.one('%s(%s)' % (self.one('year', 'month', 'day', 'hour', 'minute', 'second', 'dayofweek', 'dayofyear', 'week', 'quarter', 'isodow', 'epoch'), w),
                        '%s(%s)' % (self.one('dayname', 'monthname', 'isoyear', 'weekday', 'dayofmonth', 'weekofyear', 'millisecond', 'microsecond', 'epoch_ms', 'epoch_us'), w),
                        "date_part('%s', %s)" % (self.one('year', 'doy', 'decade', 'isoyear', 'month', 'day', 'hour', 'minute', 'second', 'dow', 'isodow', 'week', 'quarter', 'century', 'epoch'), w), 'extract(year from %s)' % w,
                        "date_diff('%s', %s, %s)" % (self.one('day', 'month', 'year', 'hour'), w, w))

    def value(self, depth):
        k = self.r.randrange(17)
        if k in (12, 13, 14): return self.function()
        if k == 15: return self.of_list()
        if k == 16: return self.list(depth)
        if k < 4: return self.num(depth)
        if k < 7: return self.text(depth)
        if k == 7: return self.whenexpr()
        if k == 8: return self.one(self.part(), self.between())
        if k == 9 and self.r.random() < 0.3: return self.guarded()
        if k == 9: return self.one(self.cond(depth), self.cast())
        return self.listy() or (self.r.choice(self.scope)[0] if k == 10 else self.num(depth))

    def guarded(self):
        """A cast that fails where the condition before it does not hold."""
        c = self.col('text')
        if not c: return '1'
        n = self.one('1', '5', '-3')
        return self.one("CASE WHEN TRY_CAST(%s AS INTEGER) IS NOT NULL AND CAST(%s AS INTEGER) > %s THEN CAST(%s AS INTEGER) ELSE 0 END" % (c, c, n, c),
                        "CASE WHEN TRY_CAST(%s AS DOUBLE) IS NULL OR CAST(%s AS DOUBLE) < %s THEN 'a' ELSE 'b' END" % (c, c, n),
                        "if(%s IN ('1', '22') AND CAST(%s AS SMALLINT) <> %s, true, false)" % (c, c, n),
                        "coalesce(TRY_CAST(%s AS DATE), CASE WHEN %s = '2020-01-01' THEN CAST(%s AS DATE) END)" % (c, c, c))

    def field(self):
        found = self.cols('struct')
        if not found: return None
        c, t = self.r.choice(found)
        name, t = self.r.choice(fields(t))
        text = self.one('%s.%s' % (c, q(name)), '%s[%s]' % (c, lit(name)) if self.r.random() < 0.2 else '(%s).%s' % (c, q(name)))
        if t.endswith('[]'): text = self.one('len(%s)', '%s[1]') % text
        return text

    def listy(self):
        c = self.col('list')
        if self.r.random() < 0.3:
            f = self.field()
            if f: return f
        b = self.col('blob')
        if b and (not c or self.r.random() < 0.3): return self.one('octet_length(%s)' % b, b)
        if not c: return None
        return self.one('len(%s)', '%s[1]', '%s[-1]', '%s[2:3]', '%s[:-2]', '%s', 'array_length(%s)', '%s[0]', '%s[1:]', '%s[3:1]', 'list_extract(%s, 2)', 'len(%s[2:])') % c

    def literal_for(self, c, t):
        k = kind(t)
        if k == 'int': return self.one('0', '1', '2', '5', '-1', '100', '1.5', 'NULL', '2e0')
        if k in ('float', 'dec'): return self.one('0', '1', '2.5', '-1.25', '1e1', '30', '0.1')
        if k == 'text':
            s = self.ds.samples.get((self.level, c.split('.')[-1].strip('"')))
            return lit(self.r.choice(s) if s and self.r.random() < 0.8 else self.one('', 'a', 'train', 'zz'))
        if k == 'date': return self.one("'2021-01-01'", "DATE '2022-06-30'", "'2020-02-29'")
        if k == 'ts': return self.one("'2021-01-01'", "TIMESTAMP '2022-06-30 12:00:00'", "'2023-03-01 00:00:01'", "DATE '2021-01-01'")
        if k == 'bool': return self.one('true', 'false')
        return None

    def cond(self, depth):
        r, k = self.r, self.r.randrange(17)
        if k == 14:
            shape = self.shape()
            if shape: return shape
        if k == 15 and self.cols('text'):
            return '%s(%s, %s)' % (self.one('contains', 'starts_with', 'ends_with', 'suffix', 'prefix'), self.text(0), lit(self.one('a', 't', '', '_0', '1')))
        if k == 16 and self.cols('list'):
            c, t = r.choice(self.cols('list'))
            if kind(t[:-2]) == 'int': return '%slist_contains(%s, %s)' % (self.one('', 'NOT '), c, self.one('1', '3', '512'))
        if depth > 0 and k < 4:
            return '(%s %s %s)' % (self.cond(depth - 1), self.one('AND', 'OR'), self.cond(depth - 1))
        if depth > 0 and k == 4: return '(NOT %s)' % self.cond(depth - 1)
        c, t = r.choice(self.scope)
        v = self.literal_for(c, t)
        if k == 5 or v is None: return '%s IS %sNULL' % (c, self.one('', 'NOT '))
        if k == 6: return '%s %sIN (%s)' % (c, self.one('', 'NOT '), ', '.join(self.literal_for(c, t) for _ in range(r.randrange(1, 4))))
        if k == 7 and kind(t) != 'bool': return '%s %sBETWEEN %s AND %s' % (c, self.one('', 'NOT '), v, self.literal_for(c, t))
        if k == 8 and kind(t) == 'text' and r.random() < 0.4:  # patterns that no scan tests
            return '%s %s %s' % (c, *self.one(*[(x, lit(y)) for x in ('~', '!~', 'SIMILAR TO', 'NOT SIMILAR TO') for y in ('.*a.*', '[t-z]\\w+', '(?i)TILE.*', '\\w*1')],
                                              *[('GLOB', lit(y)) for y in ('*a*', 't*', '[a-m]*', '?i*', '*')]))
        if k == 8 and kind(t) == 'text': return '%s %s%s %s' % (c, self.one('', 'NOT '), self.one('LIKE', 'ILIKE'), lit(self.one('%a%', 't%', '_r%', '%1', 'Tile%', '%', '')) if r.random() < 0.7 else lit(self.one('%!_%', 't!%%', '%!!', 'T_!l%', '%é%', '%!_0%')) + " ESCAPE '!'")
        if k == 9: return '%s IS %sDISTINCT FROM %s' % (c, self.one('', 'NOT '), self.one(v, v, self.same_kind(t), 'NULL'))
        if k == 10 and depth > 0: return '(%s %s %s)' % (self.text(depth - 1), self.one('=', '<', '>=', '<>'), self.text(depth - 1))
        if k == 11 and depth > 0: return '(%s %s %s)' % (self.num(depth - 1), self.one('=', '<', '>=', '<>'), self.num(depth - 1))
        if k == 12 and kind(t) == 'bool': return '%s IS %sTRUE' % (c, self.one('', 'NOT '))
        return '%s %s %s' % (c, self.one('=', '<>', '<', '<=', '>', '>=') if kind(t) != 'bool' else '=', v)

    def same_kind(self, t):
        """A column of the same type, to compare with."""
        return self.r.choice([c for c, x in self.scope if x == t])

    def number(self):
        """A number that functions of floating point take without an error."""
        c = self.col('int', 'float', 'dec')
        return self.one('TRY_CAST(%s AS DOUBLE)' % c if c else '0.75', '0.75', '2', '-1.5', '0')

    def function(self):
        """A call of a function of numbers, texts, patterns or layouts."""
        n, t = self.number(), self.text(1)
        safe = '(CASE WHEN isfinite(%s) THEN %s END)' % (n, n)
        i = self.one('7', '-12', '0', '255', self.col('int') or '3')
        small = '(TRY_CAST(%s AS BIGINT) %% 1000)' % i
        c = self.r.choice(self.scope)[0]
        found = [c for c, t in self.scope if t in ('DATE', 'TIMESTAMP')]
        d = self.r.choice(found) if found else "DATE '2024-02-29'"
        pattern = lit(self.one('[a-z]+', '\\d+', '(\\w)(\\w*)', '^.', 'a|e|i', '[^a-z]', '(?i)T', 'x*', '\\bi', '(.)(.)?$'))
        return self.one(
            lambda: '%s(%s)' % (self.one('sin', 'cos', 'tan', 'atan', 'tanh', 'asinh', 'cbrt', 'degrees', 'radians', 'even'), safe),
            lambda: '%s(abs(%s) + 1)' % (self.one('ln', 'log2', 'log10', 'acosh', 'lgamma', 'log'), safe),
            lambda: '%s(%s)' % (self.one('asin', 'acos', 'sinh', 'cosh', 'exp', 'atanh'), 'sin(%s) / 2' % safe),
            lambda: '%s(%s, %s)' % (self.one('pow', 'atan2'), 'sin(%s) + 2' % safe, 'cos(%s) * 3' % safe),
            lambda: '%s(%s, %s)' % (self.one('gcd', 'lcm', 'xor'), small, self.one('6', '10', '-4')), lambda: 'bit_count(%s)' % small,
            lambda: '(%s %s %s)' % (small, self.one('&', '|', '>>'), self.one('1', '3', '7')),
            lambda: '%s(%s)' % (self.one('md5', 'sha256', 'hex', 'unicode', 'bit_length', 'url_encode', 'sha1', 'bin'), t),
            lambda: 'translate(%s, %s, %s)' % (t, lit(self.one('ae', 'lit', 'x')), lit(self.one('b', '', 'xyz'))),
            lambda: '%s(%s, %s)' % (self.one('levenshtein', 'damerau_levenshtein', 'jaro_similarity', 'jaro_winkler_similarity'), t, lit(self.one('tile', 'abc', 'train', ''))),
            lambda: 'regexp_matches(%s, %s)' % (t, pattern), lambda: 'regexp_extract(%s, %s%s)' % (t, pattern, self.one('', ', 0', ', 1')),
            lambda: 'regexp_replace(%s, %s, %s%s)' % (t, pattern, lit(self.one('_', '<\\0>', '')), self.one('', ", 'g'")),
            lambda: '(%s %s %s)' % (t, self.one('SIMILAR TO', '~', '!~', 'NOT SIMILAR TO'), pattern), lambda: '(%s GLOB %s)' % (t, lit(self.one('t*', '*1', '[a-m]*', '?e*', '*'))),
            lambda: "printf('%%%s', %s)" % (self.one('d', '5d', '-7d|', '05d', 'x', '+d', ',d'), small), lambda: "printf('%%%s', %s)" % (self.one('.2f', '10.3f', 'e', 'g', '.0f'), '(CASE WHEN abs(%s) < 1e15 THEN CAST(%s AS DOUBLE) END)' % (n, n)),
            lambda: "format('{:%s%s%s%s%s}|', %s)" % (self.one('', '<', '>', '^', '*^', '='), self.one('', '+', ' ', ',', 't.', '#'), self.one('', '0'), self.one('', '5', '12'), self.one('', '', '.1', '.3', '.3f', '.2e', 'g'),
                                                     self.one(safe, "'inf'::DOUBLE", '606.484', '0.1::FLOAT', '1234.5', '1e20')),
            lambda: "format('{:%s%s%s%s%s}|', %s)" % (self.one('', '<', '>', '^', '*^', '='), self.one('', '+', ' ', ',', 't.', '#'), self.one('', '0'), self.one('', '5', '12'), self.one('', 'd', 'x', 'o', 'b'), self.one(small, '0', '42')),
            lambda: "printf('%%%s%s%s%s%s|', %s)" % (self.one('', '-', '+', '#'), self.one('', '0'), self.one('', '5', '12'), self.one('', '.3', '.7'), self.one('d', 'x', 'o'), self.one(small, '0', '42')),
            lambda: '%s(%s, %s%s)' % (*self.one(('regexp_extract', t), ('regexp_extract_all', t), ('regexp_extract', lit('aabba'))), lit(self.one('(|%s)%s', '(%s|)%s', '(%s?)%s', '(%s*)%s', '(^|%s)%s', '((%s)|b)%s', '(%s)%s|.', '(%s)?i%s') % (self.one('a', 'i', '[a-m]', 't|e'), self.one('', '+', '*', '{2,}', '+?', '*?'))), self.one('', ', 1')),
            lambda: 'TRY_CAST(%s AS %s)' % (lit(self.one('0x1F', '0b101', '0XfF', '0x1_0', '0x', ' 0x7f', '0x7f ', '-0x1', '0b12')), self.one(*INTS, 'HUGEINT', 'DOUBLE', 'DECIMAL(9,2)')),
            lambda: 'TRY_CAST(%s AS %s)' % (lit('2024-02-29' + self.one(' ', 'T', 't', '  ', 'T ') + '12:34:56' + self.one('', 'Z', ' Z', '+02', ' +02', ' UTC', ' utc', '  UTC', 'Z ')), self.one('TIMESTAMP', 'TIMESTAMPTZ', 'TIME', 'DATE', 'TIMESTAMP_S')),
            lambda: 'TRY_CAST(%s::%s AS %s)' % (self.one(safe, '2.5', '-0.5', '1.005', '0.1', small), self.one('FLOAT', 'DOUBLE'), self.one('DECIMAL(18,0)', 'DECIMAL(9,2)', 'DECIMAL(18,12)', 'HUGEINT', 'BIGINT')),
            lambda: "format('{:%s}', %s)" % (self.one('>12', '<12', '^12', '.3', ''), t), lambda: "printf('%%%s', %s)" % (self.one('s', '12s', '-12s|', '.3s'), t),
            lambda: 'strftime(%s, %s)' % (d, lit(self.one('%Y-%m-%d', '%a %d %b %y', '%H:%M:%S', '%j', '%U %W', '%G-%V-%u', '%I %p', '%-d.%-m.%Y', '%f'))),
            lambda: 'strptime(strftime(%s, %s), %s)' % ((d,) + (lit(self.one('%Y-%m-%d', '%Y%m%d %H%M%S', '%d/%b/%Y', '%Y-%U-%w', '%w %W %Y', '%G-W%V-%u', '%Y %j', '%c', '%xT%X', '%A %d %B %y', '%I:%M %p %x', '%V %G')),) * 2),
            lambda: 'try_strptime(%s, %s)' % (t, lit('%Y-%m-%d')), lambda: 'to_base(abs(%s), %s)' % (small, self.one('2', '16', '36')), lambda: 'typeof(%s)' % c)()

    def list(self, depth):
        """A list of one type."""
        r, c = self.r, self.col('int', 'text', 'date')
        base = self.one('[%s, %s]' % (c, c), '[%s]' % c) if c and r.random() < 0.6 else self.one('[3, 1, 2, NULL, 1]', "['b', 'a', NULL]", '[1.5, 2]', '[]', 'range(%s)' % self.one('0', '3', '5'), "string_split('a,b,,c', ',')")
        found = [x for x, t in self.cols('list') if not t.endswith('[][]') and 'STRUCT' not in t]
        if found and r.random() < 0.4: base = r.choice(found)
        if depth <= 0: return base
        a = self.list(depth - 1)
        return self.one('list_sort(%s)', "list_sort(%s, 'DESC')", 'list_reverse(%s)', 'list_sort(list_distinct(%s))', 'list_slice(%s, 1, 2)', '%s[2:]', 'list_concat(%s, [])', 'list_resize(%s, 3)', 'list_reverse_sort(%s)',
                        'array_pop_back(%s)', '%s[::2]', '%s[:-1]', 'list_append(%s, NULL)', 'flatten([%s])') % a

    def of_list(self):
        a = self.list(1)
        return self.one('len(%s)', 'list_count(%s)', 'list_min(%s)', 'list_max(%s)', 'list_unique(%s)', 'list_first(%s)', 'list_last(%s)', '%s[1]', '%s[-1]', "array_to_string(%s, '-')", 'list_has_any(%s, NULL)',
                        'list_contains(%s, NULL)', 'list_any_value(%s)', 'list_sort(%s) = %s', "list_aggregate(%s, 'count')", 'list_position(%s, NULL)', "{'a': %s}", "list_string_agg(%s)").replace('%s', a)

    def cast(self):
        """CAST between all types that have one; what fails is NULL."""
        kinds = {'int': ('VARCHAR', 'DOUBLE', 'BOOLEAN', 'DECIMAL(18,3)', 'DECIMAL(38,0)', *INTS), 'float': ('VARCHAR', 'FLOAT', 'DOUBLE', 'BOOLEAN', 'DECIMAL(12,4)', *INTS),
                 'dec': ('VARCHAR', 'FLOAT', 'DOUBLE', 'DECIMAL(5,1)', 'DECIMAL(30,10)', *INTS), 'bool': ('VARCHAR', 'DOUBLE', 'DECIMAL(4,1)', *INTS),
                 'text': ('BLOB', 'BOOLEAN', 'DATE', 'TIMESTAMP', 'TIME', 'DOUBLE', 'DECIMAL(9,3)', *INTS), 'date': ('VARCHAR', 'TIMESTAMP', 'TIMESTAMP_NS', 'TIMESTAMP_S', 'TIMESTAMPTZ'),
                 'ts': ('VARCHAR', 'DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMP_MS', 'TIMESTAMP_S'), 'blob': ('VARCHAR',)}
        found = self.cols(*kinds)
        if not found: return '1'
        c, t = self.r.choice(found)
        to = self.one(*kinds[kind(t)])
        if self.r.random() < 0.2:
            return self.one('TRY_CAST([%s, NULL] AS %s[])', "TRY_CAST({'a': %s, 'b': 1} AS STRUCT(b DOUBLE, A %s, c DATE))", 'TRY_CAST(row(%s) AS STRUCT(x %s))', "TRY_CAST(MAP {1: %s} AS MAP(VARCHAR, %s))",
                            'TRY_CAST([[%s]] AS %s[][])') % (c, to)
        return self.one('TRY_CAST(%s AS %s)', 'TRY_CAST(%s AS %s)', 'TRY_CAST(TRY_CAST(%s AS %s) AS VARCHAR)') % (c, to)

    def geometry(self):
        """A constant geometry of any kind, as WKB."""
        point = lambda: struct.pack('<2d', self.one(-77, -60, 0, 2, 10, 100), self.one(-12, 0, 5, 41, 60))
        wkb = lambda kind, *parts: b'\x01' + struct.pack('<2I', kind, len(parts)) + b''.join(parts)
        one = lambda: b'\x01\x01\0\0\0' + point()
        line = lambda: wkb(2, point(), point(), point())
        x, y, w = self.one(-80, -60, 0, 2), self.one(-20, 0, 41), self.one(1, 10, 90)
        corners = [struct.pack('<2d', x + a * w, y + b * w) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1), (0, 0))]
        polygon = wkb(3, struct.pack('<I', 5) + b''.join(corners))
        g = self.one(one(), line(), polygon, wkb(4, one(), one()), wkb(5, line(), line()), wkb(6, polygon), wkb(7, one(), line()))
        return "ST_GeomFromWKB('%s'::BLOB)" % ''.join('\\x%02X' % b for b in g)

    def shape(self):
        """A box around, beside or through the geometries of a column of WKB."""
        found = [c for c, t in self.cols('blob') if re.search('geometry"?$|centroid"?$', c)]
        if not found or not self.ds.spatial: return None
        x, y = self.r.choice((-77, -60, 0, 2, 10, 100, 179)), self.r.choice((-12, 0, 5, 41, 60))
        w, h = self.r.choice((0, 0.5, 3, 40, 200)), self.r.choice((0, 0.25, 7, 90))
        if not w and not h: w = 0.5  # a polygon that is a point is none
        box = 'ST_MakeEnvelope(%s, %s, %s, %s)' % (x - w, y - h, x + w, y + h)
        g = 'ST_GeomFromWKB(%s)' % self.r.choice(found) if self.r.random() < 0.6 else self.geometry()
        return self.one('ST_Intersects(%s, %s)' % (g, box), 'ST_Intersects(%s, %s)' % (box, g), 'NOT ST_Intersects(%s, %s)' % (g, box), 'ST_Within(%s, %s)' % (g, box))

    def aggregate(self):
        n, k = self.num(1), self.r.randrange(29)
        f = ' FILTER (WHERE %s)' % self.cond(1) if self.r.random() < 0.2 else ''
        if k == 23:  # the value is the last key: DuckDB's sort leaves equal keys in no order
            t = self.col('text') or self.col('int')
            if not t: return 'count(*)'
            return 'string_agg(%s, %s ORDER BY %s, %s)' % (t, lit(self.one('-', '', ', ')), self.col('int') or '1', t) + f
        if k == 24 and not self.joined: return '%s(%s, %s)' % (self.one('arg_max', 'arg_min', 'max_by'), self.r.choice(self.scope)[0], self.col('text') or '1') + f
        if k == 24:  # equally frequent values: the first of the order
            x = self.col('text', 'int')
            return 'mode(%s ORDER BY %s)' % (x, self.one('%s', '%s DESC', '%s NULLS FIRST', '%s DESC NULLS LAST') % x) + f if x else 'count(*)'
        if k == 25: return '%s(%s, %s)' % (self.one('corr', 'covar_pop', 'covar_samp', 'regr_slope', 'regr_count', 'regr_avgx', 'regr_sxx'), *['CAST(%s %% 1000003 AS DOUBLE)' % (self.col('int') or '1') for _ in range(2)]) + f  # sums that the order of rows does not change
        if k == 26:
            x = self.col('int', 'text')
            if not x: return 'count(*)'
            return 'list(%s ORDER BY %s%s, %s)' % (x, self.r.choice(self.cols('int', 'text', 'date') or [('1', '')])[0], self.one('', ' DESC', ' NULLS FIRST'), x) + f
        if k == 27: return self.one('map_values(histogram(%s))', 'map_keys(histogram(%s))') % (self.col('int', 'text', 'bool') or '1') + ''
        if k == 28: return '%s(%s)' % (self.one('bit_and', 'bit_or', 'bit_xor', 'entropy', 'fsum'), self.col('int') or '1') + f
        if k < 3: return 'count(*)' + f
        if k == 3: return 'count(%s)' % self.value(1) + f
        if k == 4: return 'count(DISTINCT %s)' % self.value(1) + f
        if k < 7: return 'sum(%s%s)' % (self.one('', '', 'DISTINCT '), n) + f
        if k == 7: return 'avg(%s)' % n + f
        if k < 11: return '%s(%s)' % (self.one('min', 'max'), self.one(self.value(1), n)) + f
        if k == 11: return '%s(%s)' % (self.one('stddev', 'stddev_pop', 'var_samp', 'var_pop'), n) + f
        if k == 12: return 'median(%s)' % n + f
        if k == 13: return '%s(%s, %s)' % (self.one('quantile_cont', 'quantile_disc'), n, self.one('0', '0.25', '0.5', '0.9', '1')) + f
        if k == 14: return '%s(%s)' % (self.one('bool_and', 'bool_or'), self.cond(1)) + f
        if k == 16: return '%s(%s)' % ('count' if self.joined else 'list', self.one(self.col('bool', 'float', 'dec') or '1', self.text(0), self.col('int') or '1')) + f
        if k == 17:
            name = self.one('first', 'last', 'any_value')
            return '%s(%s)' % ('count' if self.joined else name, self.one(self.text(1), self.r.choice(self.scope)[0])) + f
        if k == 19: return '%s(%s, %s)' % (self.one('quantile', 'quantile_disc', 'quantile_cont'), self.col('int', 'float', 'dec', 'date', 'ts') or '1', self.one('0', '0.1', '0.5', '0.75', '1')) + f
        if k == 20: return '%s(%s)' % (self.one('stddev_samp', 'stddev', 'variance', 'stddev_pop', 'median', 'avg'), self.col('int', 'float', 'dec') or '1') + f
        if k == 21: return '%s(%s%s)' % (self.one('count', 'min', 'max'), self.one('', 'DISTINCT '), self.r.choice(self.cols('int', 'float', 'dec', 'text', 'date', 'ts', 'bool', 'blob') or [('1', '')])[0]) + f
        if k == 22 and not self.joined: return '%s(%s)' % (self.one('list', 'array_agg', 'any_value'), self.r.choice(self.cols('int', 'dec', 'text') or [('1', '')])[0]) + f
        if k == 18: return self.one('max(%s) - min(%s)', 'sum(%s) / count(%s)', 'coalesce(avg(%s), count(%s))') % ((self.col('int') or '1',) * 2)
        return 'count(*) * 2 + 1'

    def join(self): return self.one('', 'LEFT ', *self.joins)

    def source(self):
        r = self.r
        levels = sorted(self.ds.levels)
        self.joined = False
        if 'level2' in levels and r.random() < 0.25:
            self.joined, self.level = True, 'level2'
            self.scope = [(a + '.' + q(n), t) for a, l in (('g', 'level2'), ('c', 'level1'), ('p', 'level0')) for n, t in self.ds.levels[l]]
            on = ' ON %s."internal:parent_id" = %s."internal:current_id"'
            return 'level2 g %sJOIN level1 c' % self.join() + on % ('g', 'c') + ' %sJOIN level0 p' % self.join() + on % ('c', 'p')
        if 'level1' in levels and r.random() < 0.3:
            left = self.join()
            self.joined = True
            self.level = 'level1'
            self.scope = [('c.' + q(n), t) for n, t in self.ds.levels['level1']] + [('p.' + q(n), t) for n, t in self.ds.levels['level0']]
            more = ' AND ' + self.cond(0) if r.random() < 0.2 else ''
            return 'level1 c %sJOIN level0 p ON c."internal:parent_id" = p."internal:current_id"%s' % (left, more)
        if r.random() < 0.12:
            # any level with itself, over keys that are null in some rows
            self.joined, self.level = True, r.choice(levels)
            cols = [c for c in self.ds.levels[self.level] if kind(c[1]) in ('int', 'text', 'bool', 'date')]
            self.scope = [(a + '.' + q(n), t) for a in 'ab' for n, t in self.ds.levels[self.level]]
            n, t = r.choice(cols)
            v = self.literal_for(q(n), t)
            a, b = (self.one('%s.%s', 'nullif(%%s.%%s, %s)' % v.replace('%', '%%')) % (x, q(n)) for x in 'ab')
            on = '%s %s %s' % (a, self.one('=', 'IS NOT DISTINCT FROM', 'IS NOT DISTINCT FROM'), b)
            if r.random() < 0.4: on += ' AND a.%s %s b.%s' % (q(cols[0][0]), self.one('<', '=', 'IS DISTINCT FROM', 'IS NOT DISTINCT FROM'), q(cols[0][0]))
            limit = self.one(*(['1 = 1'] if len(self.ds.con.execute('SELECT 1 FROM %s LIMIT 400' % self.level).fetchall()) < 400 else
                               ['a.%s < 3000' % q(n) for n, _ in self.ds.levels[self.level] if n.endswith('internal:offset')]))
            return '%s a %sJOIN %s b ON %s AND %s' % (self.level, self.join(), self.level, on, limit)
        self.level = r.choice(levels)
        if r.random() < 0.2:
            self.scope = [('x.' + q(n), t) for n, t in self.ds.levels[self.level]]
            return self.level + ' x'
        self.scope = [(q(n), t) for n, t in self.ds.levels[self.level]]
        return self.level

    def inner(self, source):
        """A query over the rows of others: HUGEINTs and NULLs from within, lists of files and of queries, names of two things."""
        i, c = self.col('int') or '7', self.r.choice(self.scope)[0]
        part = '(%s %% 1000003)' % i
        where = ' WHERE ' + self.cond(1) if self.r.random() < 0.4 else ''
        of = lambda items: '(SELECT %s FROM %s%s)' % (items, source, where)
        outer = self.one('x // 7', 'coalesce(x, 0.5)', 'typeof(x)', 'x / 2', 'x % 5', 'x + 1', 'bit_or(x)', 'median(x)', 'abs(x) & 1', "coalesce(y, 'q')", "y || 'a'", "[y, 'x']", 'typeof([x])', 'y IS NULL', 'count(y)', 'greatest(x, 2.5)',
                         "z || ['a']", 'coalesce(z[1], 0.5)', 'len(z)')
        self.ordered = False
        lists = [(n, t) for n, t in self.cols('list') if kind(t[:-2]) in ('int', 'text')]
        if lists and self.r.random() < 0.3:
            n, t = self.r.choice(lists)
            made = self.one('[7]', '[]', '[NULL]', '[1, 2.5]') if kind(t[:-2]) == 'int' else self.one("['a']", '[]', "['b', NULL]")
            return self.one('SELECT %s FROM %s UNION ALL SELECT %s', 'SELECT %s FROM %s EXCEPT SELECT %s', 'SELECT count(*) FROM (SELECT %s AS n FROM %s) WHERE n IN (SELECT %s)',
                            'SELECT coalesce(n, %%s) FROM (SELECT %s AS n FROM %s)' % (n, source)).replace('%s', '\0').replace('\0', n, 1).replace('\0', source, 1).replace('\0', made) \
                if self.r.random() < 0.8 else 'SELECT n = %s FROM (SELECT %s AS n FROM %s)' % (made, n, source)
        return self.one(
            lambda: 'SELECT %s FROM %s' % (outer, of('sum(%s) AS x, NULL AS y, [] AS z' % part)),
            lambda: 'WITH a AS %s, b AS (SELECT x, y, z FROM a) SELECT %s FROM b' % (of('sum(%s) AS x, NULL AS y, [NULL] AS z' % part), outer),
            lambda: 'SELECT sum(x) // 3, median(x) FROM %s' % of('sum(%s) AS x, %s AS k' % (part, c))[:-1] + ' GROUP BY k)',
            lambda: 'SELECT sum(%s) FROM %s%s UNION ALL SELECT 0.25' % (part, source, where),
            lambda: 'SELECT %s // 3 AS n, coalesce((SELECT NULL), %s) FROM %s' % (of('sum(%s)' % part), lit('q'), source),
            lambda: 'SELECT count_if(%s), count_if(%s) FILTER (WHERE false) FROM %s%s' % (self.cond(1), self.cond(0), source, where),
            lambda: 'SELECT %s AS twice, %s %% 3 AS twice FROM %s WHERE twice = 1' % (i, i, source),
            lambda: 'SELECT count(*) AS k, %s IS NULL AS %s FROM %s GROUP BY %s IS NULL HAVING %s' % (c, c.split('.')[-1], source, c, c.split('.')[-1]),
            lambda: 'SELECT max(%s * 0.1 = 0.3), max(%s * 1e-1 = 0.3) FROM %s' % ((self.one('3', '1', '%s %% 5' % part),) * 2 + (source,)),
            lambda: 'SELECT %s - 1, typeof(%s) FROM %s' % ((self.one('-2147483648', '-2147483647', '-9223372036854775807', '(-2147483648 %% 1000 + %s)' % part),) * 2 + (source,)))()

    def query(self):
        r = self.r
        source = self.source()
        if r.random() < 0.08: return self.inner(source)
        if ' ' not in source and self.ds.whole.get(source) and r.random() < 0.04:
            self.ordered = False
            out = r.sample(self.scope, r.randrange(0, min(4, len(self.scope))))
            star = '*' + (' EXCLUDE (%s)' % ', '.join(c for c, _ in out) if out else '')
            if r.random() < 0.3: star += ', %s AS extra' % self.value(1)
            return 'SELECT %s FROM %s%s' % (star, source, ' WHERE ' + self.cond(2) if r.random() < 0.6 else '')
        where = ' WHERE ' + self.cond(2) if r.random() < 0.5 else ''
        self.ordered = False
        if r.random() < 0.35:
            groups = [self.one(self.r.choice(self.scope)[0], self.value(1)) for _ in range(r.randrange(0, 3))]
            aggs = [self.aggregate() for _ in range(r.randrange(1, 4))]
            items = groups + aggs
            by = ' GROUP BY ' + ', '.join(str(i + 1) for i in range(len(groups))) if groups else ''
            if groups and r.random() < 0.2: by = ' GROUP BY ALL'
            if not groups and r.random() < 0.3: by, groups, items = '', [], aggs
            having = ' HAVING %s %s %s' % (self.one('count(*)', 'count(*)', 'count(DISTINCT %s)' % self.text(0), 'max(%s)' % (self.col('int') or '1')), self.one('>', '<=', '<>'), self.one('0', '1', '3')) if r.random() < 0.25 else ''
            text = 'SELECT %s FROM %s%s%s%s' % (', '.join(items), source, where, by, having)
        else:
            items = [self.value(2) for _ in range(r.randrange(1, 4))]
            text = 'SELECT %s%s FROM %s%s' % (self.one('', '', '', 'DISTINCT '), ', '.join(items), source, where)
        if r.random() < 0.05 and not text.startswith('SELECT DISTINCT') and 'GROUP BY' not in text and len(items) == 1 and 'quantile' not in text:
            self.ordered = True
            return text + ' ORDER BY ALL%s' % self.one('', ' DESC')
        if r.random() < 0.4:
            self.ordered = True
            text += ' ORDER BY ' + ', '.join('%d%s%s' % (i + 1, self.one('', ' ASC', ' DESC'), self.one('', '', ' NULLS FIRST', ' NULLS LAST')) for i in range(len(items)))
            if r.random() < 0.5: text += ' LIMIT %d' % r.randrange(0, 9)
            if r.random() < 0.2: text += ' OFFSET %d' % r.randrange(0, 5)
        return text


def theirs(ds, text, plain=False):
    try:
        ds.con.execute('PRAGMA %s_optimizer' % ('disable' if plain else 'enable'))
        described = ds.con.execute('DESCRIBE ' + text).fetchall()
        types = [d[1] for d in described]
        names = ['c%d' % i for i in range(len(types))]
        rows = ds.con.execute('SELECT %s FROM (%s) AS t(%s)' % (', '.join('CAST(%s AS VARCHAR)' % n for n in names), text, ', '.join(names))).fetchall()
        return {'types': ['DECIMAL(38,0)' if t == 'HUGEINT' else t for t in types], 'rows': [list(r) for r in rows], 'names': [d[0] for d in described]}
    except duckdb.Error as e:
        return {'error': str(e).split('\n')[0]}


LEAST = dict(zip(INTS, ('-128', '-32768', '-2147483648', '-9223372036854775808', '0', '0', '0', '0')))


def close(t, a, b, cast=False):
    if a == b: return True
    if a is None and cast and t in LEAST and b in (LEAST[t], str(128 << 8 * (INTS.index(t) % 4) if t[0] != 'U' else -1)): return True
    if a is None or b is None or not t.startswith(('DOUBLE', 'FLOAT')): return False
    if t.endswith('[]'):
        a, b = a.strip('[]').split(', '), b.strip('[]').split(', ')
        return len(a) == len(b) and all(close(t[:-2], x, y) for x, y in zip(a, b))
    try: x, y = float(a), float(b)
    except ValueError: return False
    if math.isnan(x) or math.isnan(y): return math.isnan(x) and math.isnan(y)
    return math.isclose(x, y, rel_tol=1e-12 if t == 'DOUBLE' else 1e-6, abs_tol=1e-9)


def order_key(types):
    """Rows by their values, floats by nine characters, as their last digits may differ, and of those that are equal by the number."""
    real = [t in ('DOUBLE', 'FLOAT') for t in types]
    return lambda row: ([('' if v is None else v[:9] if r else v, v is None) for r, v in zip(real, row)], [float(v) for r, v in zip(real, row) if r and v is not None and v[-3:] != 'nan'])


def differ(ours, want, ordered, cast=False):
    if ('error' in ours) != ('error' in want): return 'errors: ours %s, DuckDB %s' % (ours.get('error'), want.get('error'))
    if 'error' in ours: return None
    for k, t in enumerate(want['types']):
        if t == 'INTEGER' and all(row[k] is None for row in ours['rows'] + want['rows']): want['types'][k] = ours['types'][k]
    if ours['names'] != want['names']: return 'names: ours %s, DuckDB %s' % (ours['names'], want['names'])
    if ours['types'] != want['types']: return 'types: ours %s, DuckDB %s' % (ours['types'], want['types'])
    a, b = ours['rows'], want['rows']
    if len(a) != len(b): return 'rows: ours %d, DuckDB %d' % (len(a), len(b))
    if not ordered: a, b = sorted(a, key=order_key(want['types'])), sorted(b, key=order_key(want['types']))
    for x, y in zip(a, b):
        if not all(close(t, u, v, cast) for t, u, v in zip(ours['types'], x, y)): return 'row: ours %s, DuckDB %s' % (x, y)
    return None


def mean(values):
    """The double nearest to the exact mean, as text; None of nothing."""
    x = sum(map(fractions.Fraction, values)) / len(values) if values else None
    return None if x is None else x.numerator / x.denominator  # int / int rounds once


def averages(ds, gen, count, ask):
    """Averages that are not the double nearest to the exact mean: texts that say so."""
    asked = []
    while len(asked) < count:
        source = gen.source()
        c = gen.col('int', 'dec')
        if not c: continue
        e = gen.one(c, c, 'CAST(%s AS HUGEINT) + 1' % c, 'CAST(%s AS DECIMAL(38, %s))' % (c, gen.one('0', '1', '9')), 'CAST(%s AS HUGEINT) * 1000000007' % c)
        rows = ' FROM %s WHERE %s IS NOT NULL AND %s' % (source, e, gen.cond(1))
        try: values = [r[0] for r in ds.con.execute('SELECT %s%s LIMIT 100000' % (e, rows)).fetchall()]
        except duckdb.Error: continue
        if len(values) == 100000: continue
        asked.append(('SELECT avg({0}), favg({0}), mean(DISTINCT {0}), list_avg(list({0})), list_aggregate(list({0}), \'favg\'){1}'.format(e, rows), values))
    bad = []
    for (text, values), ours in zip(asked, ask([t for t, _ in asked])):
        m, once = mean(values), mean(set(values))
        got = [None if v is None else float(v) for v in ours['rows'][0]] if 'rows' in ours else ours['error']
        if got != [m, m, once, m, m]: bad.append('%s\n  ours %s, exactly %s' % (text, got, [m, m, once, m, m]))
    return bad


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('fixtures')
    ap.add_argument('--seed', type=int, default=5)
    ap.add_argument('--count', type=int, default=20000)
    ap.add_argument('--probe', default='build/probe')
    ap.add_argument('--show', type=int, default=10)
    ap.add_argument('--outer', action='store_true')
    a = ap.parse_args()
    rnd, bad, failed, limited, floors = random.Random(a.seed), 0, 0, 0, 0
    print('seed %d' % a.seed)
    with tempfile.TemporaryDirectory() as tmp:
        sets = [Dataset(os.path.join(a.fixtures, d, f), tmp) for d, f in TABLES]
        for n, ds in enumerate(sets):
            def probe(texts):
                file = os.path.join(tmp, 'batch')
                open(file, 'w').write('\n'.join([ds.path] + texts) + '\n')
                run = subprocess.run([a.probe, 'sql', file], capture_output=True)
                return run, run.stdout.decode().splitlines()
            gen, batch = Gen(rnd, ds, ('RIGHT ', 'FULL ') if a.outer else ()), []
            for _ in range(a.count // len(sets) + (n < a.count % len(sets))):
                text = gen.query()
                batch.append((text, gen.ordered))
            run, lines = probe([t for t, _ in batch])
            if run.returncode or len(lines) != len(batch):
                print('%s: the probe ended with %d after %d of %d: %s' % (ds.path, run.returncode, len(lines), len(batch), run.stderr.decode()[-600:]))
                bad += 1
                if len(lines) < len(batch): print('  at: ' + batch[len(lines)][0])
            for (text, ordered), line in zip(batch, lines):
                ours, want = json.loads(line), theirs(ds, text)
                for rows in (ours.get('rows', []), want.get('rows', [])):
                    for row in rows: row[:] = ['nan' if v == '-nan' else '0.0' if v == '-0.0' else v for v in row]
                failed += 'error' in want
                if 'error' in ours and 'error' not in want: want = theirs(ds, text, plain=True)
                if 'limits.max_memory' in ours.get('error', '') and 'error' not in want:
                    limited += 1  # joins of millions of pairs, more than the default limit
                    continue
                why = differ(ours, want, ordered, 'TRY_CAST' in text)
                if why and re.search(r"t_ts_ns|epoch_ms|date_diff\('(year)?week'", text):
                    floors += 1  # times before 1970 and Mondays, see above; test_sql_values.c compares them with floors
                    continue
                if why:
                    bad += 1
                    if bad <= a.show: print('%s\n  %s\n  %s' % (os.path.basename(ds.path), text, why[:400]))
            for why in averages(ds, gen, a.count // len(sets) // 10, lambda texts: map(json.loads, probe(texts)[1])):
                bad += 1
                if bad <= a.show: print('%s\n  %s' % (os.path.basename(ds.path), why[:600]))
    if limited > a.count // 2000:
        print('%d queries need more memory than the limit: too many' % limited)
        bad += 1
    if floors > a.count // 400 + 2:
        print('%d queries of times before 1970 differ: too many' % floors)
        bad += 1
    print('%d queries (%d of them errors in both, %d above the memory limit, %d of times before 1970), %d differences, seed %d' % (a.count, failed, limited, floors, bad, a.seed))
    return bad != 0


if __name__ == '__main__':
    sys.exit(main())
