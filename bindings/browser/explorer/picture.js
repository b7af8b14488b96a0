// picture.js - shows a sample: GeoTIFF with a choice of bands and a stretch, formats that the browser can display, or
// text. Only the ranges needed for the picture are read.
import { GeoTIFF } from 'geotiff'
import { BaseSource } from '../node_modules/geotiff/dist-module/source/basesource.js'

const SIDE = 512 // maximum width and height of the picture in pixels
const MOST = 4096 // maximum width and height of the pixels that are read for it

// The payload as a source for geotiff.
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

// The smallest overview that is at least as large as the picture, or the image itself.
async function overview (tiff, image, width) {
  let best = image
  for (let i = 1, n = await tiff.getImageCount(); i < n; i++) {
    const other = await tiff.getImage(i)
    const kind = other.fileDirectory.getValue('NewSubfileType') ?? 0
    const isOverview = (kind & 5) === 1 // of the image, not of its mask
    if (isOverview && other.getWidth() >= width && other.getWidth() < best.getWidth()) best = other
  }
  return best
}

export class Picture {
  // full: width and height of the image; part: [left, top, right, bottom] of it that the picture shows: all, but for an
  // image that is too large to be read and has no overviews; width, height: of the picture
  static async open (payload, signal) {
    const p = new Picture()
    const tiff = await GeoTIFF.fromSource(new PayloadSource(payload), {}, signal)
    p.image = await tiff.getImage()
    p.full = [p.image.getWidth(), p.image.getHeight()]
    p.bands = p.image.getSamplesPerPixel()
    p.nodata = p.image.getGDALNoData()
    const k = Math.min(1, SIDE / Math.max(...p.full))
    p.from = await overview(tiff, p.image, Math.round(p.full[0] * k))
    const size = [p.from.getWidth(), p.from.getHeight()]
    const shown = size.map(n => Math.min(n, MOST))
    const start = size.map((n, i) => (n - shown[i]) >> 1)
    p.window = [...start, start[0] + shown[0], start[1] + shown[1]]
    p.part = p.window.map((x, i) => Math.round(x * p.full[i % 2] / size[i % 2]))
    const fit = Math.min(1, SIDE / Math.max(...shown))
    p.width = Math.max(1, Math.round(shown[0] * fit))
    p.height = Math.max(1, Math.round(shown[1] * fit))
    p.values = new Map()
    return p
  }

  get isWhole () { return this.part[2] - this.part[0] === this.full[0] && this.part[3] - this.part[1] === this.full[1] }

  // Values of bands (0-based), at the resolution of the picture.
  async read (bands, signal) {
    const missing = [...new Set(bands)].filter(b => !this.values.has(b))
    if (missing.length) {
      const got = await this.from.readRasters({ samples: missing, window: this.window, width: this.width, height: this.height, signal })
      missing.forEach((b, i) => this.values.set(b, got[i]))
    }
    return bands.map(b => this.values.get(b))
  }

  // {x, y, values} of the image's pixel in all bands, at a place of the picture: 0 to 1 from the left and from the top.
  async at (across, down, signal) {
    const [left, top, right, bottom] = this.part
    const inside = (share, low, high) => Math.min(high - 1, Math.max(low, Math.floor(low + share * (high - low))))
    const x = inside(across, left, right)
    const y = inside(down, top, bottom)
    const values = await this.image.readRasters({ window: [x, y, x + 1, y + 1], signal })
    return { x, y, values: Array.from(values, v => v[0]) }
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
