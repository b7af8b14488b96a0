// index.js - TACO datasets in the browser, Node and Deno: information, queries, samples and their bytes.
//
//   import { open } from 'taco-h'
//   const ds = await open('https://host/s2.tacozip')
//   for await (const row of ds.query({ bbox: [-77.3, -12.3, -76.7, -11.7], limit: 10 })) console.log(row.id)
//   const blob = await (await ds.payload('sample_1')).blob()
import { readFields } from './arrays.js'
import { TacoError } from './errors.js'
import { COLUMN_MODES, SAMPLE } from './layout.js'
import { Opened } from './module.js'
import { writeQuery } from './query.js'
import { Rows } from './rows.js'
import { absent, sizeOf, start } from './start.js'

export { TacoError } from './errors.js'

const CURSOR = { fields: 'cursor_fields', next: 'cursor_next', close: 'cursor_close' }

// Opens a File, Blob, URL, ArrayBuffer, Uint8Array or custom source, or a list of them as one dataset.
export async function open (source, options = {}) {
  const sources = Array.isArray(source) ? source : [source]
  const { m, names } = await start(sources, options)
  const mode = COLUMN_MODES[options.columns ?? 'intersection']
  try {
    if (mode === undefined) throw new TacoError('argument', `columns is '${options.columns}': ${Object.keys(COLUMN_MODES).join(', ')} are possible`)
    const opened = await Opened.open(m, async m => {
      const ds = await m.run(s => m.c.open(s.texts(names), names.length, mode), options.signal, ds => m.c.close(ds))
      if (options.basePath) await m.run(s => m.c.base_path(ds, s.text(options.basePath)))
      return ds
    })
    const info = await opened.use((m, ds) => m.run(s => {
      const out = s.alloc(8)
      m.c.info(ds, out)
      return s.bytes(out)
    }, options.signal))
    return new Dataset(opened, JSON.parse(new TextDecoder().decode(info)), sizeOf(m, names))
  } catch (e) {
    m.kill('the dataset could not be opened')
    throw absent(m, names, e)
  }
}

export class Dataset {
  #opened
  #info

  constructor (opened, info, size) {
    this.#opened = opened
    this.#info = info
    // bytes of the sources; null if one of them is a directory
    this.size = size
  }

  get #host () { return this.#opened.m.host }

  // The output of `taco info --json`.
  get info () { return this.#info }
  // Requests made and bytes read so far.
  get meter () { return { requests: this.#host.requests, bytes: this.#host.bytes } }
  // Bytes of the module's memory.
  get memory () { return this.#opened.m.c?.memory.buffer.byteLength ?? 0 }
  get hasSql () { return !!this.#opened.m.c?.sql }

  // COLLECTION.json, or one of its top-level values; undefined if there is none.
  collection (key) {
    const { m, handle } = this.#opened.check()
    const bytes = m.look(s => {
      const out = s.alloc(8)
      m.c.collection(handle, s.text(key), out)
      return s.bytes(out)
    })
    return bytes ? JSON.parse(new TextDecoder().decode(bytes)) : undefined
  }

  // The columns of a level as stored.
  async columns (level = 0, { signal } = {}) {
    return this.#opened.use((m, ds) => m.run(s => {
      const n = s.alloc(4)
      const at = m.c.level_fields(ds, level, n)
      return at ? readFields(m, at, m.view().getUint32(n, true)) : []
    }, signal))
  }

  // Rows of a query: filters, or {sql}, or SQL as a string. Nothing is read until rows are requested.
  query (query = {}, options = {}) {
    const q = typeof query === 'string' ? { sql: query } : query
    const { sql, signal, onRows, ...rest } = q
    if (sql !== undefined && !this.hasSql) {
      throw new TacoError('unsupported', 'SQL needs the module that has it: open(source, { sql: true })')
    }
    const begin = (m, ds, s, skip) => {
      if (sql !== undefined) return { cursor: m.c.sql(ds, writeQuery(m, s, rest, 0), s.text(sql)), skipped: 0 }
      return { cursor: m.c.select(ds, writeQuery(m, s, rest, skip)), skipped: skip }
    }
    const all = Math.max(...this.#info.levels.map(l => l.rows))
    const isPage = rest.limit && !rest.where && !rest.bbox && !rest.time && !rest.filters && !rest.order
    return new Rows(this.#opened, begin, CURSOR, {
      signal: options.signal ?? signal, onRows: options.onRows ?? onRows, work: isPage ? rest.limit : all
    })
  }

  // The children of a FOLDER, or the one row of a FILE: 'tile_07/@2' by ids and positions, '' for level 0.
  read (path = '', { padding = false, signal } = {}) {
    const begin = (m, ds, s) => ({ cursor: m.c.read(ds, s.text(path), padding ? 1 : 0), skipped: 0 })
    return new Rows(this.#opened, begin, CURSOR, { signal })
  }

  // What a query will read: {ranges, tables, ...}, or text. Needs the module with SQL.
  async plan (query = {}, { text = false, signal } = {}) {
    const { sql, ...rest } = typeof query === 'string' ? { sql: query } : query
    this.#opened.check()
    if (!this.hasSql) throw new TacoError('unsupported', 'plans need the module with SQL: open(source, { sql: true })')
    const bytes = await this.#opened.use((m, ds) => m.run(s => {
      const out = s.alloc(8)
      const plan = m.c.plan(ds, writeQuery(m, s, rest, 0), s.text(sql), text ? 0 : 1, out)
      const copy = plan ? s.bytes(out) : null
      m.c.plan_free(plan)
      return copy
    }, signal))
    const printed = new TextDecoder().decode(bytes)
    return text ? printed : JSON.parse(printed)
  }

  // Where the bytes of a sample are; reads none of them.
  async payload (path, { signal } = {}) {
    const at = await this.#opened.use((m, ds) => m.run(s => {
      const out = s.alloc(m.c.sample_size())
      m.c.locate(ds, s.text(path), out)
      const v = m.view()
      return {
        vsi: m.text(v.getUint32(out + SAMPLE.vsi, true)),
        file: m.text(v.getUint32(out + SAMPLE.file, true)),
        offset: Number(v.getBigUint64(out + SAMPLE.offset, true)),
        size: Number(v.getBigUint64(out + SAMPLE.bytes, true)),
        isFolder: v.getUint8(out + SAMPLE.folder) !== 0,
        isWhole: v.getUint8(out + SAMPLE.whole) !== 0
      }
    }, signal))
    if (at.isFolder) throw new TacoError('argument', `${path}: is a FOLDER; only a FILE has bytes`)
    return Payload.open(this.#host, at, signal)
  }

  // The same for the internal:gdal_vsi of a row, of any level and of any query.
  async payloadOfVsi (vsi, { signal } = {}) {
    this.#opened.check()
    const part = /^\/vsisubfile\/(\d+)_(\d+),(.*)$/s.exec(vsi)
    const name = (part ? part[3] : vsi).replace(/^\/vsicurl\//, '')
    const files = [...this.#host.files.keys()]
    const file = files.find(f => f === name) ?? files.find(f => f.split('/').pop() === name.split('/').pop() && !part === false) ?? name
    return Payload.open(this.#host, {
      vsi, file, offset: part ? Number(part[1]) : 0, size: part ? Number(part[2]) : 0, isWhole: !part
    }, signal)
  }

  // Frees everything; reads in progress fail.
  close () {
    this.#opened.kill('the dataset is closed')
  }
}

// The bytes of one FILE; only the requested ones are read.
export class Payload {
  #host
  #file

  static async open (host, at, signal) {
    const p = new Payload()
    let file = host.files.get(at.file)
    if (!file) {
      host.wantedFiles.add(at.file)
      await host.fetchWanted(signal)
      file = host.files.get(at.file)
    }
    if (!file || file.missing) throw new TacoError('not found', `${at.file}: there is no such file`)
    p.#host = host
    p.#file = file
    p.vsi = at.vsi
    p.file = at.file
    p.offset = at.offset
    p.size = at.isWhole ? file.source.size : at.size
    if (p.offset + p.size > file.source.size) {
      throw new TacoError('truncated', `${at.file}: ends at byte ${file.source.size}, the sample at byte ${p.offset + p.size}`, p.offset)
    }
    return p
  }

  // Bytes from begin (included) to end (excluded), as in Blob.slice.
  async bytes (begin = 0, end = this.size, { signal } = {}) {
    const from = Math.min(Math.max(begin, 0), this.size)
    const length = Math.max(Math.min(end, this.size) - from, 0)
    return this.#host.readRange(this.#file, this.offset + from, length, signal)
  }

  // As a Blob: a slice of the file it lies in if that is a Blob, otherwise a copy of its bytes.
  async blob (type = '', { signal } = {}) {
    const { source } = this.#file
    if (source.blob) return source.blob(this.offset, this.size).slice(0, this.size, type)
    return new Blob([await this.bytes(0, this.size, { signal })], { type })
  }
}
