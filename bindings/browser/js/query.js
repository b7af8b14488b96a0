// query.js - converts a query object to the library's struct
import { TacoError } from './errors.js'
import { FILTER, QUERY, PQ_QUERY } from './layout.js'

const FILTER_KEYS = ['where', 'bbox', 'time', 'geometryColumn', 'timeColumn', 'level', 'exactTime']
const QUERY_KEYS = [...FILTER_KEYS, 'filters', 'table', 'flat', 'select', 'order', 'limit', 'offset', 'padding', 'rowFrom', 'rowTo', 'sql', 'signal', 'onRows']
const PQ_KEYS = ['columns', 'where', 'limit', 'offset', 'rowCount', 'signal', 'onRows']

// A misspelt key must not silently select everything.
function checkKeys (q, allowed) {
  for (const k of Object.keys(q)) {
    if (!allowed.includes(k)) throw new TacoError('argument', `a query has no '${k}': ${allowed.join(', ')} are there`)
  }
}

function whole (q, key, fallback = 0) {
  const n = q[key] ?? fallback
  if (!Number.isSafeInteger(n) || n < 0) throw new TacoError('argument', `${key} is ${q[key]}, a whole number from 0 on is expected`)
  return n
}

const quoted = name => `"${String(name).replaceAll('"', '""')}"`

function writeFilter (s, v, at, q) {
  v().setUint32(at + FILTER.where, s.text(q.where), true)
  if (q.bbox !== undefined && q.bbox !== null) {
    if (q.bbox.length !== 4 || q.bbox.some(x => typeof x !== 'number')) {
      throw new TacoError('argument', `bbox is [${q.bbox}], four numbers are expected: west, south, east, north`)
    }
    const box = s.alloc(32)
    q.bbox.forEach((x, i) => v().setFloat64(box + 8 * i, x, true))
    v().setUint32(at + FILTER.bbox, box, true)
  }
  const time = Array.isArray(q.time) ? q.time.map(iso).join('/') : q.time instanceof Date ? iso(q.time) : q.time
  v().setUint32(at + FILTER.time, s.text(time), true)
  v().setUint32(at + FILTER.geometryColumn, s.text(q.geometryColumn), true)
  v().setUint32(at + FILTER.timeColumn, s.text(q.timeColumn), true)
  v().setUint32(at + FILTER.level, whole(q, 'level'), true)
  v().setUint8(at + FILTER.exactTime, q.exactTime ? 1 : 0)
}

const iso = t => t instanceof Date ? t.toISOString() : String(t)

// taco_query, with the first `skip` rows left out.
export function writeQuery (m, s, q, skip) {
  const v = () => m.view()
  checkKeys(q, QUERY_KEYS)
  const at = s.alloc(m.c.query_size())
  writeFilter(s, v, at, q)
  const filters = q.filters ?? []
  const list = s.alloc(FILTER.size * filters.length)
  filters.forEach((f, i) => {
    checkKeys(f, FILTER_KEYS)
    writeFilter(s, v, list + i * FILTER.size, f)
  })
  v().setUint32(at + QUERY.filters, list, true)
  v().setUint32(at + QUERY.filterCount, filters.length, true)
  v().setUint32(at + QUERY.table, whole(q, 'table', q.level ?? 0), true)
  v().setUint8(at + QUERY.flat, q.flat ? 1 : 0)
  v().setUint32(at + QUERY.select, s.text(Array.isArray(q.select) ? q.select.map(quoted).join(', ') : q.select), true)
  v().setUint32(at + QUERY.order, s.text(q.order), true)
  if (q.limit === 0) throw new TacoError('argument', 'limit is 0, a number from 1 on is expected')
  const limit = q.limit === undefined ? 0 : whole(q, 'limit')
  v().setBigUint64(at + QUERY.limit, BigInt(limit ? Math.max(limit - skip, 1) : 0), true)
  v().setBigUint64(at + QUERY.offset, BigInt(whole(q, 'offset') + skip), true)
  v().setUint8(at + QUERY.padding, q.padding ? 1 : 0)
  v().setBigUint64(at + QUERY.rowFrom, BigInt(whole(q, 'rowFrom')), true)
  v().setBigUint64(at + QUERY.rowTo, BigInt(whole(q, 'rowTo')), true)
  return at
}

// taco_pq_query; offset is a row of the file.
export function writeParquetQuery (m, s, q) {
  checkKeys(q, PQ_KEYS)
  const at = s.alloc(m.c.pq_query_size())
  const columns = q.columns ? s.texts(q.columns) : 0
  const where = s.text(q.where)
  const v = m.view()
  if (q.limit === 0) throw new TacoError('argument', 'limit is 0, a number from 1 on is expected')
  v.setUint32(at + PQ_QUERY.columns, columns, true)
  v.setUint32(at + PQ_QUERY.columnCount, q.columns?.length ?? 0, true)
  v.setUint32(at + PQ_QUERY.where, where, true)
  v.setBigUint64(at + PQ_QUERY.limit, BigInt(whole(q, 'limit')), true)
  v.setBigUint64(at + PQ_QUERY.firstRow, BigInt(whole(q, 'offset')), true)
  v.setBigUint64(at + PQ_QUERY.rowCount, BigInt(whole(q, 'rowCount')), true)
  return at
}
