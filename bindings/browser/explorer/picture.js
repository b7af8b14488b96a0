// picture.js - shows a sample: GeoTIFF with a choice of bands and a stretch, formats that the browser can display, or
// text. Only the ranges needed for the picture are read.
import { GeoTIFF } from 'geotiff'
import { BaseSource } from '../node_modules/geotiff/dist-module/source/basesource.js'

const SIDE = 512 // maximum width and height of the picture in pixels

// The payload as a source for geotiff. Reads a block around each slice, so that a header takes one request.
class PayloadSource extends BaseSource {
  constructor (payload) {
    super()
    this.payload = payload
  }

  get fileSize () { return this.payload.size }

  async fetchSlice ({ offset, length }, signal) {
    const end = Math.min(offset + length, this.payload.size)
    const bytes = await this.payload.bytes(offset, end, { signal })
    return { offset, length, data: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) }
  }
}

const starts = (b, ...x) => x.every((v, i) => v === null || b[i] === v)

// The type of the content by its first bytes: 'tiff', 'text', a media type, or ''.
export function kindOf (b) {
  if (starts(b, 0x49, 0x49, 42) || starts(b, 0x4D, 0x4D, 0, 42) || starts(b, 0x49, 0x49, 43) || starts(b, 0x4D, 0x4D, 0, 43)) return 'tiff'
  if (starts(b, 0x89, 0x50, 0x4E, 0x47)) return 'image/png'
  if (starts(b, 0xFF, 0xD8, 0xFF)) return 'image/jpeg'
  if (starts(b, 0x47, 0x49, 0x46, 0x38)) return 'image/gif'
  if (starts(b, 0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50)) return 'image/webp'
  return isText(b.subarray(0, 512)) ? 'text' : ''
}

// Whether it is UTF-8 without control characters; the last character may be truncated.
function isText (head) {
  if (!head.length || head.some(c => c < 32 && c !== 9 && c !== 10 && c !== 13)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

export class Picture {
  static async open (payload, signal) {
    const p = new Picture()
    const tiff = await GeoTIFF.fromSource(new PayloadSource(payload), {}, signal)
    p.image = await tiff.getImage()
    p.full = [p.image.getWidth(), p.image.getHeight()]
    p.bands = p.image.getSamplesPerPixel()
    p.nodata = p.image.getGDALNoData()
    const k = Math.min(1, SIDE / Math.max(...p.full))
    p.width = Math.max(1, Math.round(p.full[0] * k))
    p.height = Math.max(1, Math.round(p.full[1] * k))
    p.values = new Map()
    return p
  }

  // Values of bands (0-based), at the resolution of the picture.
  async read (bands, signal) {
    const missing = [...new Set(bands)].filter(b => !this.values.has(b))
    if (missing.length) {
      const got = await this.image.readRasters({ samples: missing, width: this.width, height: this.height, signal })
      missing.forEach((b, i) => this.values.set(b, got[i]))
    }
    return bands.map(b => this.values.get(b))
  }

  // Draws one band in grey or three in red, green and blue. stretch: 'percent' (2 to 98), 'minmax', 'none' (0 to 255).
  async draw (canvas, bands, stretch, signal) {
    const data = await this.read(bands, signal)
    const ranges = data.map(d => limits(d, stretch, this.nodata))
    canvas.width = this.width
    canvas.height = this.height
    canvas.style.width = `${Math.max(this.width, Math.min(320, this.width * 32))}px`
    const out = new ImageData(this.width, this.height)
    for (let i = 0; i < this.width * this.height; i++) {
      let seen = false
      for (let c = 0; c < 3; c++) {
        const k = data.length === 1 ? 0 : c
        const v = data[k][i]
        const [low, high] = ranges[k]
        out.data[4 * i + c] = high > low ? 255 * (v - low) / (high - low) : 128
        seen ||= v === v && v !== this.nodata
      }
      out.data[4 * i + 3] = seen ? 255 : 0
    }
    canvas.getContext('2d').putImageData(out, 0, 0)
  }
}

function limits (data, stretch, nodata) {
  if (stretch === 'none') return [0, 255]
  const seen = Float64Array.from(data).filter(v => v === v && v !== nodata && Math.abs(v) !== Infinity).sort()
  if (!seen.length) return [0, 1]
  const at = p => seen[Math.min(seen.length - 1, Math.round(p * (seen.length - 1)))]
  return stretch === 'minmax' ? [at(0), at(1)] : [at(0.02), at(0.98)]
}
