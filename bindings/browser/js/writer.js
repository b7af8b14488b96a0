// writer.js - writes batches of a module as a Parquet file, text or an Arrow stream, using another module,
// taco-write.wasm, which is loaded on demand
import { ARRAY, BATCH, FIELD, TYPES } from './layout.js'
import { Module, Scratch } from './module.js'

const WITH_OFFSETS = ['TEXT', 'BINARY', 'LIST', 'MAP']

export class Writer {
  // options: wasm, maxMemory
  static async create (options = {}) {
    const w = new Writer()
    w.m = await Module.create({ wasm: options.wasm, maxMemory: options.maxMemory }, 'taco-write')
    w.fields = new Scratch(w.m) // arrays point to the fields until the end
    return w
  }

  // Returns a printer for rows.js. at: n fields in the memory of module `from`; format: one of FORMATS, none for Parquet.
  open (from, at, n, format) {
    const { c } = this.m
    this.from = from
    this.schema = this.#copyFields(at, n)
    this.printer = format ? this.m.attempt(() => c.printer_open(this.schema, n, format)).value : 0
    this.writer = format ? 0 : this.m.attempt(() => c.write_open(this.schema, n)).value
    return this
  }

  // Adds a batch, 0 for the end, and returns the output so far. A Parquet file is returned as a whole at the end.
  print (batch) {
    const { c } = this.m
    return this.m.attempt(s => {
      const rows = batch && this.from.view().getUint32(batch + BATCH.length, true)
      const at = batch ? this.#copyBatch(s, batch, rows) : 0
      const out = s.alloc(8)
      if (this.printer) {
        c.printer_batch(this.printer, at, out)
      } else if (batch) {
        if (rows) c.write_batch(this.writer, at) // write_close reports its failure
      } else {
        const writer = this.writer
        this.writer = 0
        c.write_close(writer, out)
      }
      return s.bytes(out)
    }).value
  }

  // The instance is dropped, and its memory with it.
  close () {
    this.m.kill('the file is written')
  }

  #copyBatch (s, batch, rows) {
    const v = this.from.view()
    const n = v.getUint32(batch + BATCH.columnCount, true)
    const columns = this.#copyArrays(s, v.getUint32(batch + BATCH.columns, true), n, this.schema)
    const at = s.alloc(BATCH.size)
    const to = this.m.view()
    to.setUint32(at + BATCH.length, rows, true)
    to.setUint32(at + BATCH.columns, columns, true)
    to.setUint32(at + BATCH.columnCount, n, true)
    return at
  }

  // ---- copying from one memory to the other ----

  // Copies `bytes` bytes at an address in the other module; 0 stays 0.
  #copy (s, at, bytes) {
    if (!at) return 0
    const to = s.alloc(bytes)
    new Uint8Array(this.m.memory, to, bytes).set(new Uint8Array(this.from.memory, at, bytes))
    return to
  }

  #copyText (s, at) {
    const end = new Uint8Array(this.from.memory).indexOf(0, at)
    return this.#copy(s, at, end - at + 1)
  }

  #copyFields (at, n) {
    const to = this.#copy(this.fields, at, n * FIELD.size)
    for (let i = 0; i < n; i++) {
      const there = at + i * FIELD.size
      const v = this.from.view()
      const name = this.#copyText(this.fields, v.getUint32(there + FIELD.name, true))
      const children = this.#copyFields(v.getUint32(there + FIELD.children, true), v.getUint32(there + FIELD.childCount, true))
      this.m.view().setUint32(to + i * FIELD.size + FIELD.name, name, true)
      this.m.view().setUint32(to + i * FIELD.size + FIELD.children, children, true)
    }
    return to
  }

  #copyArrays (s, at, n, fields) {
    const to = s.alloc(n * ARRAY.size)
    for (let i = 0; i < n; i++) this.#copyArray(s, at + i * ARRAY.size, to + i * ARRAY.size, fields + i * FIELD.size)
    return to
  }

  #copyArray (s, at, to, field) {
    const v = this.from.view()
    const member = name => v.getUint32(at + ARRAY[name], true)
    const length = member('length')
    const dictionary = member('dictionary')
    const offsets = member('offsets')
    const put = (name, value) => this.m.view().setUint32(to + ARRAY[name], value, true)
    this.m.view().setUint32(to, field, true)
    put('length', length)
    put('nullCount', member('nullCount'))
    put('validity', this.#copy(s, member('validity'), (length + 7) >> 3))
    if (dictionary) {
      const entries = s.alloc(ARRAY.size)
      this.#copyArray(s, dictionary, entries, field)
      put('dictionary', entries)
      put('v', this.#copy(s, member('v'), 4 * length))
      return
    }
    put('offsets', this.#copy(s, offsets, 4 * (length + 1)))
    put('v', this.#copy(s, member('v'), this.#valueBytes(field, length, offsets)))
    const f = this.m.view()
    const children = f.getUint32(field + FIELD.children, true)
    if (children && member('children')) put('children', this.#copyArrays(s, member('children'), f.getUint32(field + FIELD.childCount, true), children))
  }

  // Size of the values of an array without a dictionary.
  #valueBytes (field, length, offsets) {
    const f = this.m.view()
    const type = TYPES[f.getUint32(field + FIELD.type, true)]
    const width = f.getInt32(field + FIELD.width, true)
    if (type === 'BOOL') return (length + 7) >> 3
    const isText = WITH_OFFSETS.includes(type) || (type === 'DECIMAL' && !width)
    return isText && offsets ? this.from.view().getInt32(offsets + 4 * length, true) : width * length
  }
}
