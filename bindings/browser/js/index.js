// index.js - TACO datasets in the browser, Node and Deno: what they are, queries, samples and their bytes.
//
//   import { open } from 'taco-h'
//   const ds = await open('https://host/s2.tacozip')
//   for await (const row of ds.query({ bbox: [-77.3, -12.3, -76.7, -11.7], limit: 10 })) console.log(row.id)
//   const blob = await (await ds.payload('sample_1')).blob()
import { readFields } from './arrays.js'
import { TacoError } from './errors.js'
import { COLUMN_MODES, SAMPLE } from './layout.js'
import { writeQuery } from './query.js'
import { Rows } from './rows.js'
import { absent, start } from './start.js'

export { TacoError } from './errors.js'

const CURSOR = { fields: 'cursor_fields', next: 'cursor_next', close: 'cursor_close' }

// Opens a File, Blob, URL, ArrayBuffer, Uint8Array or custom source, or a list of them as one dataset.
export async function open (source, options = {}) {
  const hasOneModule = options.sql || (options.wasm && typeof options.wasm !== 'function')
  try {
    return await openWith(source, options)
  } catch (e) {
    // Avro, which few datasets have, is read by the module with SQL alone
    if (hasOneModule || e.code !== 'unsupported' || !/Avro, left out by/.test(e.message)) throw e
    return openWith(source, { ...options, sql: true })
  }
}

async function openWith (source, options) {
  const sources = Array.isArray(source) ? source : [source]
  const { m, names } = await start(sources, options)
  const mode = COLUMN_MODES[options.columns ?? 'intersection']
  try {
    if (mode === undefined) throw new TacoError('argument', `columns is '${options.columns}': ${Object.keys(COLUMN_MODES).join(', ')} are possible`)
    const ds = await m.run(s => m.c.open(s.texts(names), names.length, mode), options.signal, ds => m.c.close(ds))
    if (options.basePath) await m.run(s => m.c.base_path(ds, s.text(options.basePath)))
    const info = await m.run(s => {
      const out = s.alloc(8)
      m.c.info(ds, out)
      return s.bytes(out)
    }, options.signal)
    return new Dataset(m, ds, JSON.parse(new TextDecoder().decode(info)), options)
  } catch (e) {
    m.kill('the dataset could not be opened')
    throw absent(m, names, e)
  }
}

export class Dataset {
  #m
  #ds
  #info
  #options

  constructor (m, ds, info, options) {
    this.#m = m
    this.#ds = ds
    this.#info = info
    this.#options = options
  }

  // What `taco info --json` prints.
  get info () { return this.#info }
  // Requests made and bytes read so far.
  get meter () { return { requests: this.#m.host.requests, bytes: this.#m.host.bytes } }
  // Bytes of memory the module has.
  get memory () { return this.#m.c ? this.#m.memory.byteLength : 0 }
  get hasSql () { return !!this.#m.c?.sql }

  #handle () {
    if (!this.#ds) throw new TacoError('state', 'the dataset is closed')
    return this.#ds
  }

  // COLLECTION.json, or one of its top-level values; undefined when there is none.
  collection (key) {
    const ds = this.#handle()
    const bytes = this.#m.attempt(s => {
      const out = s.alloc(8)
      this.#m.c.collection(ds, s.text(key), out)
      return s.bytes(out)
    }).value
    return bytes ? JSON.parse(new TextDecoder().decode(bytes)) : undefined
  }

  // The columns of a level as stored.
  async columns (level = 0, { signal } = {}) {
    const ds = this.#handle()
    return this.#m.run(s => {
      const n = s.alloc(4)
      const at = this.#m.c.level_fields(ds, level, n)
      return at ? readFields(this.#m, at, this.#m.view().getUint32(n, true)) : []
    }, signal)
  }

  // Rows of a query: filters, or {sql}, or SQL as a text. Nothing is read before rows are asked for.
  query (query = {}, options = {}) {
    const q = typeof query === 'string' ? { sql: query } : query
    const { sql, signal, onRows, ...rest } = q
    const m = this.#m
    if (sql !== undefined && !this.hasSql) {
      throw new TacoError('unsupported', 'SQL needs the module that has it: open(source, { sql: true })')
    }
    const begin = (s, skip) => {
      const ds = this.#handle()
      if (sql !== undefined) return { cursor: m.c.sql(ds, writeQuery(m, s, rest, 0), s.text(sql)), skipped: 0 }
      return { cursor: m.c.select(ds, writeQuery(m, s, rest, skip)), skipped: skip }
    }
    return new Rows(m, begin, CURSOR, { signal: options.signal ?? signal, onRows: options.onRows ?? onRows })
  }

  // The children of a FOLDER, or the one row of a FILE: 'tile_07/@2' by ids and positions, '' for level 0.
  read (path = '', { padding = false, signal } = {}) {
    const m = this.#m
    return new Rows(m, s => ({ cursor: m.c.read(this.#handle(), s.text(path), padding ? 1 : 0), skipped: 0 }), CURSOR, { signal })
  }

  // What a query will read: {ranges, tables, ...}, or as text. Needs the module with SQL.
  async plan (query = {}, { text = false, signal } = {}) {
    const { sql, ...rest } = typeof query === 'string' ? { sql: query } : query
    const m = this.#m
    const ds = this.#handle()
    if (!this.hasSql) throw new TacoError('unsupported', 'plans need the module with SQL: open(source, { sql: true })')
    const bytes = await m.run(s => {
      const out = s.alloc(8)
      const plan = m.c.plan(ds, writeQuery(m, s, rest, 0), s.text(sql), text ? 0 : 1, out)
      const copy = plan ? s.bytes(out) : null
      m.c.plan_free(plan)
      return copy
    }, signal)
    const printed = new TextDecoder().decode(bytes)
    return text ? printed : JSON.parse(printed)
  }

  // Where the bytes of a sample are; none of them is read.
  async payload (path, { signal } = {}) {
    const m = this.#m
    const ds = this.#handle()
    const at = await m.run(s => {
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
    }, signal)
    if (at.isFolder) throw new TacoError('argument', `${path}: is a FOLDER; only a FILE has bytes`)
    return Payload.open(m, at, signal)
  }

  // The same for the internal:gdal_vsi of a row, of any level and of any query.
  async payloadOfVsi (vsi, { signal } = {}) {
    this.#handle()
    const part = /^\/vsisubfile\/(\d+)_(\d+),(.*)$/s.exec(vsi)
    const name = (part ? part[3] : vsi).replace(/^\/vsicurl\//, '')
    const files = [...this.#m.host.files.keys()]
    const file = files.find(f => f === name) ?? files.find(f => f.split('/').pop() === name.split('/').pop() && !part === false) ?? name
    return Payload.open(this.#m, {
      vsi, file, offset: part ? Number(part[1]) : 0, size: part ? Number(part[2]) : 0, isWhole: !part
    }, signal)
  }

  // Frees everything; rows that are being read end with an error.
  close () {
    if (!this.#ds) return
    this.#ds = 0
    this.#m.kill('the dataset is closed')
  }
}

// The bytes of one FILE, of which only what is asked for is read.
export class Payload {
  #m
  #file

  static async open (m, at, signal) {
    const p = new Payload()
    let file = m.host.files.get(at.file)
    if (!file) {
      m.host.wantedFiles.add(at.file)
      await m.host.fetchWanted(signal)
      file = m.host.files.get(at.file)
    }
    if (!file || file.missing) throw new TacoError('not found', `${at.file}: there is no such file`)
    p.#m = m
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

  // Bytes from begin (included) to end (excluded), as those of a Blob.
  async bytes (begin = 0, end = this.size, { signal } = {}) {
    const from = Math.min(Math.max(begin, 0), this.size)
    const length = Math.max(Math.min(end, this.size) - from, 0)
    return this.#m.host.readRange(this.#file, this.offset + from, length, signal)
  }

  // As a Blob: a slice of the file it lies in, where that is one, or else its bytes.
  async blob (type = '', { signal } = {}) {
    const { source } = this.#file
    if (source.blob) return source.blob(this.offset, this.size).slice(0, this.size, type)
    return new Blob([await this.bytes(0, this.size, { signal })], { type })
  }
}
