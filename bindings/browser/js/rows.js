// rows.js - the rows of a query, in the form the caller wants; shared by datasets and Parquet files
//
// A cursor fails if bytes are missing in the middle. The bytes are fetched, the query is restarted, and the rows
// already returned are skipped. Since sources are read far ahead, this is rare.
import { readFields, readVector, joinVectors, valueOf } from './arrays.js'
import { TacoError } from './errors.js'
import { BATCH, ARRAY, FIELD, FORMATS } from './layout.js'

// Yields to the event loop, so that the page stays responsive and a signal can abort. Messages come before timers.
export const pause = globalThis.setImmediate
  ? () => new Promise(resolve => setImmediate(resolve))
  : () => new Promise(resolve => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => { port1.close(); resolve() }
      port2.postMessage(0)
    })

const LONG = 40 // ms of work between two pauses

export class Rows {
  #opened
  #work
  #begin
  #calls
  #signal
  #onRows

  // begin(m, handle, scratch, skip): starts the query after `skip` rows and returns {cursor, skipped}
  // calls: names of the module's functions for it
  // options: signal, onRows, and work: number of rows it has to look at
  constructor (opened, begin, calls, options = {}) {
    this.#opened = opened
    this.#work = options.work ?? 0
    this.#begin = begin
    this.#calls = calls
    this.#signal = options.signal
    this.#onRows = options.onRows
  }

  // Starts the query. Returns {m, cursor, skipped}, where m is the module it runs in, on which hold() was called.
  async #start (skip) {
    const { close } = this.#calls
    if (!skip) await this.#opened.speedUp(this.#work)
    return await this.#opened.use(async (m, handle) => {
      m.hold()
      try {
        return { m, ...await m.run(s => this.#begin(m, handle, s, skip), this.#signal, x => m.c[close](x.cursor)) }
      } catch (e) {
        m.unhold()
        throw e
      }
    })
  }

  // Yields the result of use(m, batch, fields, from) for each batch, in the module's memory; `from` is the first row
  // that was not returned before.
  async * #run (use) {
    const { fields: fieldsOf, next, close } = this.#calls
    const signal = this.#signal
    let done = 0
    let last = performance.now()
    for (let whole = false; !whole;) {
      const start = await this.#start(done)
      const { m } = start
      let pass = done - start.skipped
      let open = start.cursor
      try {
        const out = m.c.alloc(BATCH.size + 8)
        try {
          const n = out + BATCH.size
          const at = m.c[fieldsOf](open, n)
          const schema = { at, n: m.view().getUint32(n, true) }
          for (;;) {
            const got = m.attempt(() => m.c[next](open, out))
            const rows = got?.value ? m.view().getUint32(out + BATCH.length, true) : 0
            if (!got?.value) break
            const from = Math.min(pass, rows)
            pass -= from
            if (from < rows) {
              const result = use(m, out, schema, from)
              done += rows - from
              this.#onRows?.(done)
              yield result
              m.view() // throws if the dataset was closed meanwhile
            }
            if (performance.now() - last > LONG) {
              await pause()
              signal?.throwIfAborted()
              last = performance.now()
            }
          }
          // a failure is reported when the cursor is closed
          const cursor = open
          open = 0
          const end = m.attempt(() => m.c[close](cursor))
          whole = end !== null && !m.host.wantedFiles.size
          if (!whole) await m.host.fetchWanted(signal)
        } finally {
          if (!m.isDead) {
            if (open) try { m.attempt(() => m.c[close](open)) } catch {}
            m.c.release(out)
          }
        }
      } catch (e) {
        await this.#opened.grow(m, e)
      } finally {
        m.unhold()
      }
    }
  }

  #vectors (m, batch, schema, from) {
    this.#fields ??= readFields(m, schema.at, schema.n)
    const columns = m.view().getUint32(batch + BATCH.columns, true)
    return this.#fields.map((f, i) => readVector(m, columns + i * ARRAY.size, f, from))
  }

  #fields = null

  // The columns of the result; starts the query if no rows were read yet.
  async fields () {
    if (!this.#fields) {
      const { fields: fieldsOf, close } = this.#calls
      await this.#opened.use((m, handle) => m.run(s => {
        const { cursor } = this.#begin(m, handle, s, 0)
        if (!cursor) return
        const n = s.alloc(4)
        const at = m.c[fieldsOf](cursor, n)
        this.#fields = readFields(m, at, m.view().getUint32(n, true))
        m.c[close](cursor)
      }, this.#signal))
    }
    return this.#fields
  }

  // Batches as they are read: {length, columns: {name: {type, field, length, values, valid}}}.
  async * batches () {
    for await (const vectors of this.#run((m, b, s, from) => this.#vectors(m, b, s, from))) {
      yield {
        length: vectors[0]?.length ?? 0,
        columns: Object.fromEntries(vectors.map(v => [v.field.name, joinVectors(v.field, [v])]))
      }
    }
  }

  // Rows as objects, one at a time.
  async * [Symbol.asyncIterator] () {
    for await (const vectors of this.#run((m, b, s, from) => this.#vectors(m, b, s, from))) {
      for (let i = 0; i < vectors[0].length; i++) yield rowOf(vectors, i)
    }
  }

  // All rows as objects.
  async rows () {
    const out = []
    for await (const vectors of this.#run((m, b, s, from) => this.#vectors(m, b, s, from))) {
      for (let i = 0; i < vectors[0].length; i++) out.push(rowOf(vectors, i))
    }
    return out
  }

  // All rows, column by column: {name: {type, field, length, values, valid}}.
  async columns () {
    const all = []
    for await (const vectors of this.#run((m, b, s, from) => this.#vectors(m, b, s, from))) all.push(vectors)
    const fields = await this.fields()
    return Object.fromEntries(fields.map((f, i) => [f.name, joinVectors(f, all.map(v => v[i]))]))
  }

  // Number of rows; converts none of them.
  async count () {
    let n = 0
    for await (const rows of this.#run((m, b, s, from) => m.view().getUint32(b + BATCH.length, true) - from)) n += rows
    return n
  }

  // The formats below are written by taco-write.wasm, or by the module with SQL if it can. options: wasm, if
  // taco-write.wasm is not beside this file; maxMemory.

  // All rows as text: 'csv', 'csvCrlf', 'ndjson', 'table', 'lines'.
  async text (format = 'csv', options = {}) {
    const decoder = new TextDecoder()
    return (await this.#print(this.#printer(format, options))).map(b => decoder.decode(b)).join('')
  }

  // All rows as an Arrow IPC stream.
  async arrow (options = {}) {
    const parts = await this.#print(this.#printer('arrow', options))
    const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0))
    parts.reduce((at, p) => { out.set(p, at); return at + p.length }, 0)
    return out
  }

  // All rows as a Parquet file, compressed with ZSTD.
  async parquet (options = {}) {
    return (await this.#print(() => this.#writer(options)))[0]
  }

  async #writer (options, format) {
    const { Writer } = await import('./writer.js')
    const { wasm, maxMemory } = this.#opened.m.host.options
    const writer = await Writer.create({ wasm: typeof wasm === 'function' ? wasm : undefined, maxMemory, ...options })
    return (m, at, n) => writer.open(m, at, n, format)
  }

  // The argument of #print for a format of the library's printer.
  #printer (format, options) {
    if (!Object.hasOwn(FORMATS, format)) {
      throw new TacoError('argument', `'${format}' is no format: ${Object.keys(FORMATS).join(', ')} are`)
    }
    if (!this.#opened.check().m.c.printer_open) return () => this.#writer(options, FORMATS[format])
    const open = (m, at, n) => {
      const printer = m.c.printer_open(at, n, FORMATS[format])
      return {
        print: (batch, s) => {
          const b = s.alloc(8)
          m.c.printer_batch(printer, batch, b)
          return s.bytes(b)
        },
        close: () => { if (!m.isDead) m.c.printer_close(printer) }
      }
    }
    return () => open
  }

  // The printed parts. make() returns a function, or a promise of one, that opens a printer {print(batch, scratch),
  // close()} for a cursor's columns; batch 0 is the end. If bytes are missing, it starts over with a new printer.
  async #print (make) {
    for (;;) {
      const { m, cursor } = await this.#start(0)
      try {
        const parts = await this.#printPass(m, cursor, await make())
        if (parts) return parts
        await m.host.fetchWanted(this.#signal)
      } catch (e) {
        await this.#opened.grow(m, e)
      } finally {
        m.unhold()
      }
    }
  }

  // The printed parts, or null if bytes are missing.
  async #printPass (m, cursor, open) {
    const parts = []
    const out = m.c.alloc(BATCH.size + 8)
    let printer = null
    let last = performance.now()
    const call = fn => m.attempt(fn)?.value
    const emit = batch => call(s => {
      const text = printer.print(batch, s)
      if (text) parts.push(text)
    })
    try {
      const at = m.c[this.#calls.fields](cursor, out)
      const n = m.view().getUint32(out, true)
      printer = call(() => open(m, at, n))
      while (call(() => m.c[this.#calls.next](cursor, out))) {
        emit(out)
        if (performance.now() - last > LONG) {
          await pause()
          this.#signal?.throwIfAborted()
          last = performance.now()
        }
      }
      if (!parts.length && !m.host.isWaiting) call(s => emit(emptyBatch(m, s, at, n)))
      emit(0)
    } finally {
      printer?.close()
      if (!m.isDead) {
        m.c.release(out)
        const closing = cursor
        cursor = 0
        const isClosed = call(() => { m.c[this.#calls.close](closing); return true })
        parts.isMissing = !isClosed || m.host.wantedFiles.size > 0
      }
    }
    return parts.isMissing ? null : parts
  }
}

// A batch without rows, to print the header of a format.
function emptyBatch (m, s, fields, n) {
  const batch = s.alloc(BATCH.size)
  const columns = s.alloc(ARRAY.size * n)
  const v = m.view()
  v.setUint32(batch + BATCH.columns, columns, true)
  v.setUint32(batch + BATCH.columnCount, n, true)
  for (let i = 0; i < n; i++) v.setUint32(columns + i * ARRAY.size, fields + i * FIELD.size, true)
  return batch
}

const rowOf = (vectors, i) => {
  const row = {}
  for (const v of vectors) row[v.field.name] = valueOf(v, i)
  return row
}
