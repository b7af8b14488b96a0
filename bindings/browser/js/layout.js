// layout.js - offsets of the members of the library's structs in a module's memory (wasm32). The
// assertions at the end of ../native/taco_browser.c check these numbers against the headers.

export const ERROR = { offset: 0, code: 8, text: 16 }
export const PIECE = { offset: 0, dst: 8, len: 12, size: 16 }
export const HOST_FILE = { size: 0, id: 8, vectored: 12 }
export const FIELD = {
  name: 0, type: 4, unit: 8, utc: 12, nullable: 13, width: 16, precision: 20, scale: 24, children: 28,
  childCount: 32, size: 44
}
export const ARRAY = { length: 4, nullCount: 8, validity: 12, offsets: 16, v: 20, dictionary: 24, children: 28, size: 32 }
export const BATCH = { length: 8, columns: 12, columnCount: 16, size: 24 }
export const FILTER = { where: 0, bbox: 4, time: 8, geometryColumn: 12, timeColumn: 16, level: 20, exactTime: 24, size: 28 }
export const QUERY = {
  ...FILTER, filters: 28, filterCount: 32, table: 36, flat: 40, select: 44, order: 48, limit: 56, offset: 64,
  padding: 72, rowFrom: 80, rowTo: 88
}
export const PQ_QUERY = {
  columns: 0, columnCount: 4, where: 8, limit: 16, batchRows: 24, firstRow: 32, rowCount: 40
}
export const SAMPLE = { vsi: 0, file: 4, offset: 8, bytes: 16, folder: 24, whole: 25 }

// taco_status, taco_type and taco_unit, by number
export const STATUS = [
  'ok', 'argument', 'state', 'memory', 'limit', 'io', 'truncated', 'corrupt', 'checksum', 'unsupported', 'not found',
  'type', 'syntax'
]
export const TYPES = [
  'NULL', 'BOOL', 'INT8', 'INT16', 'INT32', 'INT64', 'UINT8', 'UINT16', 'UINT32', 'UINT64', 'HALF', 'FLOAT', 'DOUBLE',
  'DECIMAL', 'DATE', 'TIME', 'TIMESTAMP', 'INT96', 'INTERVAL', 'TEXT', 'BINARY', 'FIXED', 'UUID', 'LIST', 'MAP', 'STRUCT'
]
export const UNITS = ['SECOND', 'MILLI', 'MICRO', 'NANO']
export const FORMATS = { ndjson: 1, csv: 2, table: 3, lines: 4, arrow: 5, csvCrlf: 6 }
export const COLUMN_MODES = { intersection: 0, fill: 1, strict: 2 }
