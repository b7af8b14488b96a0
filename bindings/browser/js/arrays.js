// arrays.js - converts arrays in a module's memory (Arrow's layout) to JavaScript columns
//
// Columns: numbers, dates and times become one typed array, everything else a list of values. Values of rows:
//   BOOL boolean; INT8..UINT32, FLOAT, DOUBLE, HALF number; INT64, UINT64 number, or BigInt beyond 2^53;
//   DECIMAL text; DATE, TIMESTAMP, INT96 Date (columns have the exact integers); TIME text; TEXT, UUID text;
//   BINARY, FIXED Uint8Array; INTERVAL {months, days, milliseconds}; LIST array; STRUCT object; MAP Map; null null
import { ARRAY, FIELD, TYPES, UNITS } from './layout.js'

const decoder = new TextDecoder()

// A field and its children.
export function readField (m, at) {
  const v = m.view()
  const f = {
    name: m.text(v.getUint32(at + FIELD.name, true)),
    type: TYPES[v.getUint32(at + FIELD.type, true)],
    nullable: v.getUint8(at + FIELD.nullable) !== 0
  }
  if (f.type === 'TIMESTAMP' || f.type === 'TIME') {
    f.unit = UNITS[v.getUint32(at + FIELD.unit, true)]
    f.utc = v.getUint8(at + FIELD.utc) !== 0
  }
  if (f.type === 'DECIMAL') {
    f.precision = v.getInt32(at + FIELD.precision, true)
    f.scale = v.getInt32(at + FIELD.scale, true)
  }
  if (['DECIMAL', 'FIXED'].includes(f.type)) f.width = v.getInt32(at + FIELD.width, true)
  const n = v.getUint32(at + FIELD.childCount, true)
  if (n) f.children = readFields(m, v.getUint32(at + FIELD.children, true), n)
  return f
}

export function readFields (m, at, n) {
  return Array.from({ length: n }, (_, i) => readField(m, at + i * FIELD.size))
}

// ---- vectors: an array's values, copied out of the module ----

const NUMBERS = {
  INT8: Int8Array, INT16: Int16Array, INT32: Int32Array, INT64: BigInt64Array, UINT8: Uint8Array, UINT16: Uint16Array,
  UINT32: Uint32Array, UINT64: BigUint64Array, FLOAT: Float32Array, DOUBLE: Float64Array, DATE: Int32Array,
  TIMESTAMP: BigInt64Array
}

export function kindOf (field) {
  if (field.type === 'TIME') return field.unit === 'MILLI' ? Int32Array : BigInt64Array
  return NUMBERS[field.type]
}

const bit = (bits, i) => (bits[i >> 3] >> (i & 7)) & 1

// {field, length, valid, values, ...} of `count` rows from row `from` of the array at an address. valid has one byte
// per row, or is null if all rows have values.
export function readVector (m, at, field, from = 0, count = -1) {
  const v = m.view()
  const length = v.getUint32(at + ARRAY.length, true)
  const n = count < 0 ? length - from : count
  const out = { field, length: n, valid: null }
  const dictionary = v.getUint32(at + ARRAY.dictionary, true)
  const validity = v.getUint32(at + ARRAY.validity, true)
  const values = v.getUint32(at + ARRAY.v, true)
  if (validity && v.getUint32(at + ARRAY.nullCount, true)) {
    const bits = new Uint8Array(m.memory, validity, (from + n + 7) >> 3)
    out.valid = Uint8Array.from({ length: n }, (_, i) => bit(bits, from + i))
  }
  if (field.type === 'NULL') {
    out.valid = new Uint8Array(n)
    out.values = []
  } else if (dictionary) {
    readDictionary(m, out, dictionary, new Int32Array(m.memory, values, from + n).subarray(from))
  } else {
    readPlain(m, out, at, values, from)
  }
  return out
}

// Each dictionary entry is converted once, and shared by its rows.
function readDictionary (m, out, at, indices) {
  const entries = readVector(m, at, out.field)
  const Kind = kindOf(out.field)
  const list = Kind ? entries.values : Array.from({ length: entries.length }, (_, i) => valueOf(entries, i))
  out.values = Kind ? new Kind(out.length) : new Array(out.length)
  for (let i = 0; i < out.length; i++) {
    if (!out.valid || out.valid[i]) out.values[i] = list[indices[i]]
    else if (!Kind) out.values[i] = null
  }
  out.isDone = !Kind
}

function readPlain (m, out, at, values, from) {
  const { field, length: n } = out
  const Kind = kindOf(field)
  if (Kind) {
    out.values = n ? new Kind(m.memory, values + from * Kind.BYTES_PER_ELEMENT, n).slice() : new Kind(0)
  } else if (field.type === 'BOOL') {
    const bits = new Uint8Array(m.memory, values, (from + n + 7) >> 3)
    out.values = Uint8Array.from({ length: n }, (_, i) => bit(bits, from + i))
  } else if (field.children || field.type === 'LIST' || field.type === 'MAP' || field.type === 'STRUCT') {
    readNested(m, out, at, from)
  } else {
    readBytes(m, out, at, values, from)
  }
}

const WIDTHS = { UUID: 16, INT96: 12, INTERVAL: 12, HALF: 2 }

// Types with bytes in each row, found by offsets or by a fixed width.
function readBytes (m, out, at, values, from) {
  const { field, length: n } = out
  const width = WIDTHS[field.type] ?? field.width ?? 0
  if (width || field.type === 'FIXED') {
    out.width = width
    out.values = new Uint8Array(m.memory, values + from * width, n * width).slice()
    return
  }
  const offsets = new Int32Array(m.memory, m.view().getUint32(at + ARRAY.offsets, true) + 4 * from, n + 1)
  const begin = offsets[0]
  const bytes = new Uint8Array(m.memory, values + begin, offsets[n] - begin)
  out.offsets = offsets.map(o => o - begin)
  if (field.type !== 'TEXT') {
    out.values = bytes.slice()
    return
  }
  // one call decodes all texts; if they are ASCII, the byte offsets are also string offsets
  const text = decoder.decode(bytes)
  if (text.length === bytes.length) out.text = text
  else out.values = bytes.slice()
}

function readNested (m, out, at, from) {
  const { field, length: n } = out
  const v = m.view()
  const children = v.getUint32(at + ARRAY.children, true)
  if (field.type === 'STRUCT') {
    out.children = (field.children ?? []).map((f, i) => readVector(m, children + i * ARRAY.size, f, from, n))
    return
  }
  const offsets = new Int32Array(m.memory, v.getUint32(at + ARRAY.offsets, true) + 4 * from, n + 1)
  const begin = offsets[0]
  const end = offsets[n]
  out.offsets = offsets.map(o => o - begin)
  out.children = [readVector(m, children, field.children[0], begin, end - begin)]
}

// ---- values of rows ----

const PER_MILLI = { MILLI: 1n, MICRO: 1000n, NANO: 1000000n }

// Division that rounds down, so that times before 1970 keep their date.
function floorDivide (a, b) {
  const q = a / b
  return a % b < 0n ? q - 1n : q
}

function toDate (value, unit) {
  return new Date(unit === 'SECOND' ? Number(value) * 1000 : Number(floorDivide(value, PER_MILLI[unit])))
}

function toTime (value, unit) {
  const digits = { SECOND: 0, MILLI: 3, MICRO: 6, NANO: 9 }[unit]
  const per = 10n ** BigInt(digits)
  const v = BigInt(value)
  const s = Number(v / per)
  const two = x => String(x).padStart(2, '0')
  const clock = `${two(Math.floor(s / 3600))}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`
  return digits ? `${clock}.${String(v % per).padStart(digits, '0')}` : clock
}

// Big-endian or little-endian two's complement as text with `scale` digits after the point.
function toDecimal (bytes, scale, isLittle) {
  const b = isLittle ? bytes.slice().reverse() : bytes
  let x = 0n
  for (const c of b) x = x << 8n | BigInt(c)
  if (b.length && b[0] & 128) x -= 1n << BigInt(8 * b.length)
  const digits = (x < 0n ? -x : x).toString().padStart(scale + 1, '0')
  const text = scale > 0 ? `${digits.slice(0, -scale)}.${digits.slice(-scale)}` : digits
  return x < 0n ? `-${text}` : text
}

function toHalf (x) {
  const e = x >> 10 & 31
  const f = x & 1023
  const a = e === 0 ? f * 2 ** -24 : e === 31 ? (f ? NaN : Infinity) : (1 + f / 1024) * 2 ** (e - 15)
  return x & 0x8000 ? -a : a
}

function ofWidth (vec, i) {
  const { field, width } = vec
  const b = vec.values.subarray(i * width, (i + 1) * width)
  const v = new DataView(b.buffer, b.byteOffset, b.length)
  switch (field.type) {
    case 'HALF': return toHalf(v.getUint16(0, true))
    case 'UUID': {
      const h = Array.from(b, c => c.toString(16).padStart(2, '0')).join('')
      return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20)}`
    }
    case 'INT96': return new Date((v.getUint32(8, true) - 2440588) * 864e5 + Number(floorDivide(v.getBigInt64(0, true), 1000000n)))
    case 'INTERVAL':
      return { months: v.getUint32(0, true), days: v.getUint32(4, true), milliseconds: v.getUint32(8, true) }
    case 'DECIMAL': return toDecimal(b, field.scale, true)
    default: return b
  }
}

function ofOffsets (vec, i) {
  const { field, offsets } = vec
  const begin = offsets[i]
  const end = offsets[i + 1]
  switch (field.type) {
    case 'TEXT': return vec.text !== undefined ? vec.text.slice(begin, end) : decoder.decode(vec.values.subarray(begin, end))
    case 'BINARY': return vec.values.subarray(begin, end)
    case 'DECIMAL': return toDecimal(vec.values.subarray(begin, end), field.scale, false)
    case 'MAP': {
      const [keys, values] = vec.children[0].children
      const map = new Map()
      for (let k = begin; k < end; k++) map.set(valueOf(keys, k), valueOf(values, k))
      return map
    }
    default: return Array.from({ length: end - begin }, (_, k) => valueOf(vec.children[0], begin + k))
  }
}

// The value of row i.
export function valueOf (vec, i) {
  if (vec.valid && !vec.valid[i]) return null
  if (vec.isDone) return vec.values[i]
  switch (vec.field.type) {
    case 'INT64': case 'UINT64': {
      const x = vec.values[i]
      return x >= -9007199254740991n && x <= 9007199254740991n ? Number(x) : x
    }
    case 'BOOL': return vec.values[i] === 1
    case 'DATE': return new Date(vec.values[i] * 864e5)
    case 'TIMESTAMP': return toDate(vec.values[i], vec.field.unit)
    case 'TIME': return toTime(vec.values[i], vec.field.unit)
    case 'STRUCT': return Object.fromEntries(vec.children.map(c => [c.field.name, valueOf(c, i)]))
    default:
      if (vec.width !== undefined) return ofWidth(vec, i)
      return vec.offsets ? ofOffsets(vec, i) : vec.values[i]
  }
}

// ---- columns ----

// One column {type, field, length, values, valid} from the vectors of all batches.
export function joinVectors (field, vectors) {
  const length = vectors.reduce((n, v) => n + v.length, 0)
  const Kind = field.type === 'BOOL' ? Uint8Array : kindOf(field)
  const values = Kind ? new Kind(length) : new Array(length)
  const valid = vectors.some(v => v.valid) ? new Uint8Array(length).fill(1) : null
  let at = 0
  for (const v of vectors) {
    if (Kind) values.set(v.values, at)
    else for (let i = 0; i < v.length; i++) values[at + i] = valueOf(v, i)
    if (v.valid) valid.set(v.valid, at)
    at += v.length
  }
  return { type: field.type, field, length, values, valid }
}
