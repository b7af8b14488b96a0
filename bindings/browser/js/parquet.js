// parquet.js - plain Parquet files: the same reader without datasets, in a smaller module
//
//   import { openParquet } from 'taco-h/parquet'
//   const file = await openParquet(blob)
//   const { columns } = await file.query({ columns: ['id'], where: 'cloud < 10' }).columns()
import { readFields } from './arrays.js'
import { TacoError } from './errors.js'
import { Opened } from './module.js'
import { writeParquetQuery } from './query.js'
import { Rows } from './rows.js'
import { absent, sizeOf, start } from './start.js'

export { TacoError } from './errors.js'

const READER = { fields: 'pq_reader_fields', next: 'pq_next', close: 'pq_reader_close' }

// Opens a File, Blob, URL, ArrayBuffer, Uint8Array or custom source.
export async function openParquet (source, options = {}) {
  const { m, names } = await start([source], { name: source?.name ?? undefined, ...options }, options.full ? 'taco-full' : 'taco-parquet')
  try {
    return new ParquetFile(await Opened.open(m, m =>
      m.run(s => m.c.pq_open(s.text(names[0])), options.signal, file => m.c.pq_close(file))), sizeOf(m, names))
  } catch (e) {
    m.kill('the file could not be opened')
    throw absent(m, names, e)
  }
}

export class ParquetFile {
  #opened

  constructor (opened, size) {
    const { m, handle: file } = opened
    this.#opened = opened
    this.size = size // in bytes
    this.rows = m.c.pq_rows(file)
    this.rowGroups = m.c.pq_row_groups(file)
    this.fields = m.attempt(s => {
      const n = s.alloc(4)
      const at = m.c.pq_fields(file, n)
      return readFields(m, at, m.view().getUint32(n, true))
    }).value
  }

  get meter () {
    const { requests, bytes } = this.#opened.m.host
    return { requests, bytes }
  }

  get memory () { return this.#opened.m.c?.memory.buffer.byteLength ?? 0 }

  // The value of a key in the footer's metadata, or undefined.
  keyValue (key) {
    const { m, handle } = this.#opened.check()
    const bytes = m.look(s => {
      const out = s.alloc(8)
      m.c.pq_key_value(handle, s.text(key), out)
      return s.bytes(out)
    })
    return bytes ? new TextDecoder().decode(bytes) : undefined
  }

  // {columns, where, limit, offset, rowCount}: offset and rowCount are rows of the file.
  query (query = {}, options = {}) {
    const { signal, onRows, ...q } = query
    const begin = (m, file, s) => ({ cursor: m.c.pq_read(file, writeParquetQuery(m, s, q)), skipped: 0 })
    return new Rows(this.#opened, begin, READER, {
      signal: options.signal ?? signal,
      onRows: options.onRows ?? onRows,
      work: q.where ? this.rows : Math.min(q.limit ?? this.rows, this.rows)
    })
  }

  close () {
    this.#opened.kill('the file is closed')
  }
}
