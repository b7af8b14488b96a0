// writer.js - batches of a module as a Parquet file, which another module writes: taco-write.wasm, loaded when it is
// asked for.
import { ARRAY, BATCH, FIELD, TYPES } from './layout.js'
import { Module, Scratch } from './module.js'

const WITH_OFFSETS = ['TEXT', 'BINARY', 'LIST', 'MAP']

export class ParquetWriter {
  // options: wasm, maxMemory
  static async create (options = {}) {
    const w = new ParquetWriter()
    w.m = await Module.create({ wasm: options.wasm, maxMemory: options.maxMemory }, 'taco-write')
    w.fields = new Scratch(w.m) // arrays point to them until the end
    return w
  }

  // A printer of rows.js for n fields of module `from` at an address.
  open (from, at, n) {
    this.from = from
    this.schema = this.#copyFields(at, n)
    this.writer = this.m.attempt(() => this.m.c.write_open(this.schema, n)).value
    return this
  }

  // Takes a batch; 0 ends the file and returns it.
  print (batch) {
    const { c } = this.m
    return this.m.attempt(s => {
      if (batch) return void this.#batch(s, batch)
      const writer = this.writer
      const out = s.alloc(8)
      this.writer = 0
      c.write_close(writer, out)
      return s.bytes(out)
    }).value
  }

  // Its memory goes with the instance.
  close () {
    this.m.kill('the file is written')
  }

  // A failure of the writer is told by write_close.
  #batch (s, batch) {
    const v = this.from.view()
    const rows = v.getUint32(batch + BATCH.length, true)
    const n = v.getUint32(batch + BATCH.columnCount, true)
    if (!rows) return
    const columns = this.#copyArrays(s, v.getUint32(batch + BATCH.columns, true), n, this.schema)
    const at = s.alloc(BATCH.size)
    const to = this.m.view()
    to.setUint32(at + BATCH.length, rows, true)
    to.setUint32(at + BATCH.columns, columns, true)
    to.setUint32(at + BATCH.columnCount, n, true)
    this.m.c.write_batch(this.writer, at)
  }

  // ---- from one memory into the other ----

  // `bytes` bytes at an address of the other module; 0 where it has none.
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
    if (children) put('children', this.#copyArrays(s, member('children'), f.getUint32(field + FIELD.childCount, true), children))
  }

  // How long the values of an array without a dictionary are.
  #valueBytes (field, length, offsets) {
    const f = this.m.view()
    const type = TYPES[f.getUint32(field + FIELD.type, true)]
    const width = f.getInt32(field + FIELD.width, true)
    if (type === 'BOOL') return (length + 7) >> 3
    const isText = WITH_OFFSETS.includes(type) || (type === 'DECIMAL' && !width)
    return isText && offsets ? this.from.view().getInt32(offsets + 4 * length, true) : width * length
  }
}
