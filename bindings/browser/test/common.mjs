// common.mjs - what the tests share: paths, build/taco as the judge, a server with ranges that counts.
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../../..')
const beside = process.env.SHARED ?? path.resolve(root, '../shared')
// as the tool names its files: without symbolic links
export const shared = fs.existsSync(beside) ? fs.realpathSync(beside) : beside
export const taco = path.join(root, process.env.TACO ?? 'build/taco')
export const data = path.join(root, 'examples/data')

// Modules by their names, as the option wasm takes them, each compiled once: scalar() in place of those with simd128.
const compiled = new Map()
const compile = name => WebAssembly.compile(fs.readFileSync(path.join(root, 'bindings/browser/wasm', name)))
const once = name => compiled.get(name) ?? compiled.set(name, compile(name)).get(name)
export const simd = name => once(name)
export const scalar = name => once(name.replace('-simd', ''))

// What the tool prints: {out, error: the last line of its messages or null}.
export function native (...args) {
  const r = spawnSync(taco, args, { encoding: 'buffer', maxBuffer: 1 << 30, timeout: 60000 })
  const lines = r.stderr.toString().trim().split('\n')
  return { out: r.stdout, error: r.status === 0 ? null : lines[lines.length - 1] }
}

export const run = (command, ...args) => execFileSync(command, args, { encoding: 'utf8' })

// A source that is never at once, and counts: {size, read}.
export function slow (file) {
  const fd = fs.openSync(file)
  return {
    name: path.basename(file),
    size: fs.fstatSync(fd).size,
    reads: [],
    async read (offset, length) {
      this.reads.push([offset, length])
      const out = new Uint8Array(length)
      fs.readSync(fd, out, 0, length, offset)
      return out
    },
    close: () => fs.closeSync(fd)
  }
}

// A server on a free port. options: {ranges: false} sends whole files, {cors: true} allows other sites, {cors: 'least'} hides
// Content-Range from their pages, {length: false} does not send Content-Length.
export async function serve (directory, options = {}) {
  const log = []
  const server = http.createServer((q, s) => {
    const file = path.join(directory, decodeURIComponent(new URL(q.url, 'http://x').pathname))
    const m = /^bytes=(\d+)-(\d*)$/.exec(q.headers.range ?? '')
    if (options.cors) {
      s.setHeader('Access-Control-Allow-Origin', '*')
      s.setHeader('Access-Control-Allow-Headers', 'Range')
      if (options.cors !== 'least') s.setHeader('Access-Control-Expose-Headers', 'Content-Range, Content-Length, ETag')
    }
    if (q.method === 'OPTIONS') return s.writeHead(204).end()
    if (options.status) return s.writeHead(options.status).end()
    if (!fs.existsSync(file) || !fs.statSync(file).isFile()) {
      log.push({ file, status: 404, bytes: 0 })
      return s.writeHead(404).end()
    }
    const size = fs.statSync(file).size
    const begin = m ? Number(m[1]) : 0
    const end = m && m[2] ? Math.min(Number(m[2]) + 1, size) : size
    const isPart = m && options.ranges !== false
    const type = { '.js': 'text/javascript', '.html': 'text/html', '.css': 'text/css', '.wasm': 'application/wasm' }[path.extname(file)]
    if (type) s.setHeader('Content-Type', type)
    if (isPart && begin >= size) return s.writeHead(416, { 'Content-Range': `bytes */${size}` }).end()
    const [from, to] = isPart ? [begin, end] : [0, size]
    log.push({ file, status: isPart ? 206 : 200, begin: from, bytes: q.method === 'HEAD' ? 0 : to - from })
    s.writeHead(isPart ? 206 : 200, {
      ...(options.length === false ? {} : { 'Content-Length': to - from }),
      ETag: options.tag?.() ?? '"1"',
      ...(isPart ? { 'Content-Range': `bytes ${begin}-${end - 1}/${size}` } : {})
    })
    fs.createReadStream(file, { start: from, end: Math.max(to - 1, 0) }).pipe(s)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    log,
    close: () => new Promise(resolve => { server.closeAllConnections(); server.close(resolve) })
  }
}

// The example with so many bytes of nothing between its payloads and METADATA, as TACO_HEADER says; they take no space on
// the disk.
export function makeSparse (file, size) {
  const bytes = fs.readFileSync(path.join(data, 'geo_stac.tacozip'))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = bytes.lastIndexOf('PK\x05\x06', bytes.length, 'latin1')
  const central = view.getUint32(end + 16, true)
  // entries of the central directory, to find where METADATA begins
  let first = Infinity
  for (let at = central; view.getUint32(at, true) === 0x02014b50;) {
    const [n, x, c] = [28, 30, 32].map(o => view.getUint16(at + o, true))
    const name = bytes.toString('latin1', at + 46, at + 46 + n)
    if (/^METADATA|^COLLECTION/.test(name)) first = Math.min(first, view.getUint32(at + 42, true))
    at += 46 + n + x + c
  }
  const out = fs.openSync(file, 'w')
  const head = Buffer.from(bytes.subarray(0, first))
  const headView = new DataView(head.buffer, head.byteOffset, head.length)
  // after the local header of TACO_HEADER: how many, and pairs of offset and size
  const index = 30 + headView.getUint16(26, true) + headView.getUint16(28, true)
  const shift = BigInt(size)
  for (let i = 0, n = headView.getUint8(index); i < 7; i++) {
    const at = index + 4 + 16 * i
    const offset = headView.getBigUint64(at, true)
    if (i < n && offset >= BigInt(first)) headView.setBigUint64(at, offset + shift, true)
  }
  fs.writeSync(out, head, 0, head.length, 0)
  fs.writeSync(out, bytes, first, bytes.length - first, first + size)
  fs.closeSync(out)
}
