// sources.js - where bytes come from: a File or Blob, memory, a URL with range requests, a file in Node or Deno, or
// an object of the caller. A source has
//   size                           in bytes
//   read(offset, length, signal)   a promise of a Uint8Array of `length` bytes
//   readInto(offset, target)       optional: the same, synchronously
//   blob(offset, length)           optional: the same as a Blob, without reading
//   gap, most, parallel            bytes worth reading to save a request; bytes per request; concurrent requests
import { TacoError } from './errors.js'

const HEAD = 65536 // bytes of the first request for a URL: usually covers the header of an archive and its collection

export class BufferSource {
  constructor (buffer) {
    this.bytes = ArrayBuffer.isView(buffer)
      ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
      : new Uint8Array(buffer)
    this.size = this.bytes.length
  }

  readInto (offset, target) {
    target.set(this.bytes.subarray(offset, offset + target.length))
  }

  async read (offset, length) {
    return this.bytes.slice(offset, offset + length)
  }
}

export class BlobSource {
  constructor (blob) {
    this.file = blob
    this.size = blob.size
    this.gap = 4096
    this.most = 64 << 20
    this.parallel = 4
    // in a worker a File can be read synchronously
    if (typeof FileReaderSync !== 'undefined') {
      const reader = new FileReaderSync()
      this.readInto = (offset, target) => {
        target.set(new Uint8Array(reader.readAsArrayBuffer(blob.slice(offset, offset + target.length))))
      }
    }
  }

  blob (offset, length) {
    return this.file.slice(offset, offset + length)
  }

  async read (offset, length, signal) {
    signal?.throwIfAborted()
    try {
      return new Uint8Array(await this.file.slice(offset, offset + length).arrayBuffer())
    } catch (e) {
      throw new TacoError('io', `${this.file.name ?? 'the file'}: cannot be read any more: ${e.message}. ` +
        'Was it changed, moved or deleted since it was chosen?', offset, { cause: e })
    }
  }
}

// A source provided by the caller: {size, read(offset, length, signal)}.
export class CustomSource {
  constructor (object) {
    this.object = object
    this.size = Number(object.size)
    this.gap = object.gap ?? 16384
    this.most = object.most ?? 16 << 20
    this.parallel = object.parallel ?? 4
  }

  async read (offset, length, signal) {
    const got = await this.object.read(offset, length, signal)
    return got instanceof Uint8Array ? got : new Uint8Array(got)
  }
}

// A URL whose server answers range requests.
export class UrlSource {
  constructor (url, options) {
    this.url = url
    this.fetch = options.fetch ?? ((...a) => globalThis.fetch(...a))
    this.headers = options.headers ?? {}
    this.meter = options.meter ?? (() => {})
    this.gap = 65536
    this.most = 8 << 20
    this.parallel = 6
    this.tag = null
  }

  // Requests the first bytes, and learns the size from the response. Returns {source, head}, or null if there is no
  // such file.
  static async open (url, options, signal) {
    const s = new UrlSource(url, options)
    const r = await s.#request(0, HEAD, signal)
    if (r.status === 404 || r.status === 410) return null
    if (r.status === 416) { // not even a first byte: the file is empty
      s.size = 0
      return { source: s, head: new Uint8Array(0) }
    }
    await s.#check(r)
    let size = total(r.headers.get('content-range'))
    if (size === null) size = await s.#length(signal)
    s.size = size
    s.tag = r.headers.get('etag')
    const head = new Uint8Array(await r.arrayBuffer())
    s.meter(head.length)
    return { source: s, head: head.subarray(0, size) }
  }

  async #request (offset, length, signal) {
    this.meter(0)
    try {
      return await this.fetch(this.url, {
        headers: { ...this.headers, Range: `bytes=${offset}-${offset + length - 1}` }, signal, redirect: 'follow'
      })
    } catch (e) {
      if (e.name === 'AbortError') throw e
      throw unreachable(this.url, e)
    }
  }

  // Only a 206 has the range that was requested. Other responses are cancelled without reading their body.
  async #check (r) {
    if (r.status === 206) return
    await r.body?.cancel()
    if (r.status === 200) {
      throw new TacoError('ranges', `${this.url}: the server does not answer range requests (it sent the whole file, ` +
        'status 200 where 206 was expected), so that parts of the file cannot be read. Download the file and open it ' +
        'from disk, or use a server with ranges (nginx, Apache, S3 have them).')
    }
    throw new TacoError('network', `${this.url}: the server answered ${r.status} ${r.statusText}`.trim())
  }

  // The size, if the server does not let the page see Content-Range.
  async #length (signal) {
    this.meter(0)
    const r = await this.fetch(this.url, { method: 'HEAD', headers: this.headers, signal }).catch(e => {
      throw unreachable(this.url, e)
    })
    const size = Number(r.headers.get('content-length') ?? NaN)
    if (!r.ok || !Number.isSafeInteger(size)) {
      throw new TacoError('cors', `${this.url}: the server does not tell the size of the file to pages of other ` +
        'sites: it has to send "Access-Control-Expose-Headers: Content-Range, Content-Length, ETag".')
    }
    return size
  }

  async read (offset, length, signal) {
    const r = await this.#request(offset, length, signal)
    await this.#check(r)
    const size = total(r.headers.get('content-range'))
    const tag = r.headers.get('etag')
    if ((size !== null && size !== this.size) || (tag && this.tag && tag !== this.tag)) {
      await r.body?.cancel()
      throw new TacoError('io', `${this.url}: the file changed while it was read; open it again`, offset)
    }
    const data = new Uint8Array(await r.arrayBuffer())
    this.meter(data.length)
    if (data.length !== length) {
      throw new TacoError('network', `${this.url}: the server sent ${data.length} bytes where ${length} were asked for`, offset)
    }
    return data
  }
}

function total (contentRange) {
  const m = /\/(\d+)$/.exec(contentRange ?? '')
  return m ? Number(m[1]) : null
}

// A failed fetch gives no reason: browsers hide it from pages.
function unreachable (url, cause) {
  let there = null
  try { there = new URL(url, globalThis.location?.href).origin } catch {}
  if (there && globalThis.location && there !== globalThis.location.origin) {
    return new TacoError('cors', `${url}: could not be fetched. Either the server cannot be reached, or it does not ` +
      'allow pages of other sites to read it (CORS): it has to send "Access-Control-Allow-Origin: *", allow the ' +
      'header Range, and expose Content-Range. A downloaded file can be opened from disk instead.', null, { cause })
  }
  return new TacoError('network', `${url}: could not be fetched: ${cause.cause?.message ?? cause.message}`, null, { cause })
}

// A file by its path, in Node and Deno; null if there is none, or it is not a regular file.
export async function openLocal (path) {
  const fs = await import('node:fs')
  let fd
  try { fd = fs.openSync(path, 'r') } catch { return null }
  const stat = fs.fstatSync(fd)
  if (!stat.isFile()) {
    fs.closeSync(fd)
    return null
  }
  const readInto = (offset, target) => {
    for (let n = 0, got; n < target.length; n += got) {
      got = fs.readSync(fd, target, n, target.length - n, offset + n)
      if (!got) throw new TacoError('io', `${path}: ends at byte ${offset + n}; it had ${stat.size} bytes`, offset + n)
    }
  }
  return {
    size: stat.size,
    readInto,
    async read (offset, length) {
      const out = new Uint8Array(length)
      readInto(offset, out)
      return out
    },
    close: () => fs.closeSync(fd)
  }
}

export const isUrl = s => /^(https?|blob|data):/i.test(s)
export const hasFiles = typeof process !== 'undefined' && !!process.versions?.node // Deno says so, too
