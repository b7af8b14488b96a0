// wkb.js - converts WKB and EWKB to GeoJSON geometries, for the map and downloads; null if it is neither

const NAMES = ['', 'Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon', 'GeometryCollection']

export function toGeoJson (bytes) {
  try {
    return read({ view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), at: 0 }, 0)
  } catch {
    return null
  }
}

function read (r, depth) {
  if (depth > 8) throw new RangeError('too deep')
  const little = r.view.getUint8(r.at) === 1
  const u32 = () => { const x = r.view.getUint32(r.at, little); r.at += 4; return x }
  const f64 = () => { const x = r.view.getFloat64(r.at, little); r.at += 8; return x }
  r.at++
  let code = u32()
  if (code & 0x20000000) u32() // an SRID
  const flags = (code & 0x80000000 ? 1 : 0) + (code & 0x40000000 ? 1 : 0)
  code &= 0xFFFF
  const iso = [0, 1, 1, 2][Math.floor(code / 1000)]
  const type = NAMES[code % 1000]
  const more = flags || iso
  if (!type || more === undefined) throw new RangeError('no type')
  const point = () => {
    const p = [f64(), f64()]
    for (let i = 0; i < more; i++) f64()
    return p
  }
  const list = one => {
    const n = u32()
    if (n > r.view.byteLength) throw new RangeError('too long')
    return Array.from({ length: n }, one)
  }
  if (type === 'Point') return { type, coordinates: point() }
  if (type === 'LineString') return { type, coordinates: list(point) }
  if (type === 'Polygon') return { type, coordinates: list(() => list(point)) }
  const parts = list(() => read(r, depth + 1))
  return type === 'GeometryCollection' ? { type, geometries: parts } : { type, coordinates: parts.map(p => p.coordinates) }
}
