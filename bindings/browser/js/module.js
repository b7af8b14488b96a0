// module.js - an instance of the WebAssembly module, the files it reads, and calls that are repeated after bytes
// had to be fetched.
//
// The C side never blocks. Its reads call Host.read with all ranges needed at that point: if all are in memory they are
// copied, otherwise those that are missing are recorded and the call fails. Module.run then fetches them and repeats
// the call.
import { TacoError } from './errors.js'
import { ERROR, HOST_FILE, PIECE, STATUS } from './layout.js'
import { Ranges, coalesce } from './ranges.js'
import { BlobSource, BufferSource, CustomSource, UrlSource, hasFiles, isUrl, openLocal } from './sources.js'

const decoder = new TextDecoder()
const encoder = new TextEncoder()

// ---- the compiled module ----

// A module with a single simd128 instruction, to test for support.
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11
])
const compiled = new Map()

// The zero-terminated string at an address.
function textIn (memory, at) {
  const m = new Uint8Array(memory.buffer)
  return at ? decoder.decode(m.subarray(at, m.indexOf(0, at))) : ''
}

export const hasSimd = () => WebAssembly.validate(SIMD)

// A module beside this file, compiled once.
function load (name) {
  // each one is spelled out, since bundlers look for this pattern
  const urls = {
    'taco.wasm': () => new URL('../wasm/taco.wasm', import.meta.url),
    'taco-full.wasm': () => new URL('../wasm/taco-full.wasm', import.meta.url),
    'taco-full-simd.wasm': () => new URL('../wasm/taco-full-simd.wasm', import.meta.url),
    'taco-sql.wasm': () => new URL('../wasm/taco-sql.wasm', import.meta.url),
    'taco-sql-simd.wasm': () => new URL('../wasm/taco-sql-simd.wasm', import.meta.url),
    'taco-parquet.wasm': () => new URL('../wasm/taco-parquet.wasm', import.meta.url),
    'taco-write.wasm': () => new URL('../wasm/taco-write.wasm', import.meta.url)
  }
  if (!compiled.has(name)) {
    const loading = compile(urls[name]())
    compiled.set(name, loading)
    loading.catch(() => compiled.delete(name))
  }
  return compiled.get(name)
}

// Compiles a URL or bytes; a WebAssembly.Module is returned as it is.
async function compile (wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm
  if (ArrayBuffer.isView(wasm) || wasm instanceof ArrayBuffer) return WebAssembly.compile(wasm)
  const url = new URL(wasm, globalThis.location?.href ?? import.meta.url)
  if (url.protocol === 'file:' && hasFiles) {
    const { readFile } = await import('node:fs/promises')
    return WebAssembly.compile(await readFile(url))
  }
  const r = await fetch(url)
  if (!r.ok) throw new TacoError('network', `${url}: the server answered ${r.status} ${r.statusText}`)
  return WebAssembly.compile(await r.arrayBuffer())
}

// ---- files ----

class Host {
  constructor (options) {
    this.options = options
    this.memory = null
    this.files = new Map() // by name: {source, cache} or {missing: true}
    this.byId = []
    this.wantedFiles = new Set()
    this.wanted = [] // {file, offset, length}
    this.requests = 0
    this.bytes = 0
    this.failed = null // the error thrown by a synchronous read
    this.busy = 0 // calls and cursors that may need cached bytes
    this.warns = 0 // warnings so far
  }

  // Registers a source under a name. Resolves with whether the file exists.
  async declare (name, source, signal) {
    const file = { name, cache: new Ranges(), missing: false, source: null }
    if (typeof source === 'string' || source instanceof URL) {
      Object.assign(file, await this.#byName(String(source), signal))
    } else if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer) {
      file.source = new BufferSource(source)
    } else if (typeof Blob !== 'undefined' && source instanceof Blob) {
      file.source = new BlobSource(source)
    } else if (source && typeof source.read === 'function' && Number.isSafeInteger(Number(source.size))) {
      file.source = new CustomSource(source)
    } else {
      throw new TacoError('argument', 'open takes a File, Blob, URL, ArrayBuffer, Uint8Array, or an object with ' +
        'size and read(offset, length)')
    }
    file.missing = !file.source
    if (file.head?.length) file.cache.add(0, file.head)
    delete file.head
    file.id = this.byId.push(file) - 1
    this.files.set(name, file)
    return !file.missing
  }

  // {source, head} of a URL, or of a path if the platform has files.
  async #byName (name, signal) {
    const meter = n => this.#count(n)
    if (isUrl(name) || !hasFiles) {
      const url = isUrl(name) ? name : new URL(name, globalThis.location?.href).href
      return await UrlSource.open(url, { ...this.options, meter }, signal) ?? {}
    }
    return { source: await openLocal(name.startsWith('file:') ? new URL(name) : name) }
  }

  // Counts a new request (0), or bytes that have arrived.
  #count (bytes) {
    if (bytes) this.bytes += bytes
    else this.requests++
    this.options.onProgress?.({ requests: this.requests, bytes: this.bytes })
  }

  // ---- imports of the module ----

  open (path, out) {
    const name = textIn(this.memory, path)
    const file = this.files.get(name)
    if (!file) this.wantedFiles.add(name)
    if (!file || file.missing) return 0
    const view = new DataView(this.memory.buffer)
    view.setBigUint64(out + HOST_FILE.size, BigInt(file.source.size), true)
    view.setUint32(out + HOST_FILE.id, file.id, true)
    view.setUint32(out + HOST_FILE.vectored, file.source.readInto ? 0 : 1, true)
    return 1
  }

  read (id, pieces, n) {
    const { source, cache } = this.byId[id]
    const view = new DataView(this.memory.buffer)
    const all = []
    for (let at = pieces; n > 0; n--, at += PIECE.size) {
      all.push({
        file: this.byId[id],
        offset: Number(view.getBigUint64(at + PIECE.offset, true)),
        dst: view.getUint32(at + PIECE.dst, true),
        length: view.getUint32(at + PIECE.len, true)
      })
    }
    if (!source.readInto) {
      const missing = all.filter(p => !cache.has(p.offset, p.length))
      if (missing.length) {
        this.wanted.push(...missing)
        return 0
      }
    }
    try {
      for (const p of all) {
        const target = new Uint8Array(this.memory.buffer, p.dst, p.length)
        if (source.readInto) source.readInto(p.offset, target)
        else cache.copy(p.offset, target)
      }
    } catch (e) {
      this.failed = e
      return 0
    }
    return 1
  }

  // ---- fetching ----

  get isWaiting () {
    return this.wanted.length > 0 || this.wantedFiles.size > 0
  }

  // Fetches what calls have recorded.
  async fetchWanted (signal) {
    const names = [...this.wantedFiles]
    const wanted = this.wanted
    this.wantedFiles.clear()
    this.wanted = []
    await Promise.all(names.map(name => this.#resolve(name, signal)))
    const byFile = Map.groupBy ? Map.groupBy(wanted, w => w.file) : groupBy(wanted, w => w.file)
    await Promise.all([...byFile].map(([file, ranges]) => this.#fetchRanges(file, ranges, signal)))
  }

  // Finds another file of the dataset, through options.resolve or by its name; if that fails, it is marked as missing.
  async #resolve (name, signal) {
    const source = this.options.resolve ? await this.options.resolve(name, signal) : (this.hasNames ? name : null)
    if (source === null || source === undefined) this.files.set(name, { missing: true })
    else await this.declare(name, source, signal)
  }

  // Fetches the missing parts of ranges, joining those close together and splitting those larger than source.most.
  async #fetchRanges (file, ranges, signal) {
    const { source, cache } = file
    const parts = coalesce(ranges.flatMap(r => cache.missing(r.offset, r.length)), source.gap)
      .flatMap(r => cache.missing(r.offset, r.length))
    const queue = parts.flatMap(r => split(r, source.most))
    const work = async () => {
      for (let r; (r = queue.shift());) {
        signal?.throwIfAborted()
        if (!(source instanceof UrlSource)) this.#count(0)
        const data = await source.read(r.offset, r.length, signal)
        if (data.length !== r.length) {
          throw new TacoError('io', `${file.name}: ${data.length} bytes were read where ${r.length} were asked for`, r.offset)
        }
        if (!(source instanceof UrlSource)) this.#count(data.length)
        cache.add(r.offset, data)
      }
    }
    await Promise.all(Array.from({ length: Math.min(source.parallel, queue.length) }, work))
  }

  // Bytes of a file for the caller; cached ones need no request.
  async readRange (file, offset, length, signal) {
    const { source, cache } = file
    const out = new Uint8Array(length)
    if (source.readInto) {
      source.readInto(offset, out)
    } else {
      await this.#fetchRanges(file, [{ offset, length }], signal)
      cache.copy(offset, out)
    }
    return out
  }

  // Drops cached bytes beyond the limit; only between calls.
  trim (most) {
    for (const f of this.byId) f.cache?.trim(most)
  }
}

function groupBy (list, key) {
  const out = new Map()
  for (const x of list) out.set(key(x), [...(out.get(key(x)) ?? []), x])
  return out
}

function split (r, most) {
  const out = []
  for (let at = r.offset, end = r.offset + r.length; at < end; at += most) {
    out.push({ offset: at, length: Math.min(most, end - at) })
  }
  return out
}

// ---- the instance ----

// The small modules lack parts that few files and queries need, and error texts; the larger one has them. They have no
// code either to undo a call that fails in such a way: it is given up, and the instance with it. With simd128 the larger
// module is also about three times as fast, which pays off from MANY_ROWS rows.
const LARGER = { taco: 'taco-full', 'taco-parquet': 'taco-full' }
const MANY_ROWS = 200000

// Thrown if a call failed in a module that may lack what was needed. Opened then continues with the larger one.
export class NeedsLarger extends Error {
  // failure: the error to throw if there is no larger module
  constructor (failure) {
    super(failure.message)
    this.failure = failure
  }
}

// Thrown through a call that a small module gives up: nothing of what it was doing is undone.
class GivenUp extends Error {
  constructor (code) {
    super(`given up: ${STATUS[code]}`)
    this.code = code
  }
}

export class Module {
  #error
  #kind
  #busy = 0
  #isRetired = false
  #dead = null
  #givenUp = null // the failure that a call was given up with: no other call may follow
  isStarved = false // only because it lacked bytes

  // kind: taco, taco-parquet, taco-write, or taco-full and taco-sql, which exist with and without simd128
  // host: that of another module, to share its files
  static async create (options, kind = options.sql ? 'taco-sql' : options.full ? 'taco-full' : 'taco', host = new Host(options)) {
    const m = new Module()
    const name = `${kind}${/full|sql/.test(kind) && hasSimd() ? '-simd' : ''}.wasm`
    const wasm = typeof options.wasm === 'function' ? await options.wasm(name) : options.wasm
    const module = await (wasm ? compile(wasm) : load(name))
    m.host = host
    m.isSmall = WebAssembly.Module.imports(module).some(i => i.name === 'give_up')
    m.#kind = kind
    m.cacheBytes = options.cacheBytes ?? 256 << 20
    const instance = await WebAssembly.instantiate(module, {
      env: {
        open: (path, out) => host.open(path, out),
        close: () => {},
        read: (id, pieces, n) => host.read(id, pieces, n),
        warn: text => m.#warn(text),
        give_up: code => { throw new GivenUp(code) },
        now: () => Date.now() / 1000
      }
    })
    m.c = instance.exports
    m.#error = m.c.init(options.maxMemory ?? 0)
    return m
  }

  // Another instance of the same module, with the same files.
  again () {
    return Module.create(this.host.options, this.#kind, this.host)
  }

  // A module that has the parts this one lacks, with the same files; null if the caller provided only one.
  async larger () {
    const { options } = this.host
    if (options.wasm && typeof options.wasm !== 'function') return null
    return Module.create(options, LARGER[this.#kind], this.host)
  }

  // Small modules have no texts, so they only count warnings; if there is a listener, the larger module repeats the call.
  #warn (text) {
    if (!this.isSmall) this.host.options.onWarning?.(this.text(text))
    else this.host.warns++
  }

  get memory () { return this.c.memory.buffer }
  view () { return new DataView(this.c.memory.buffer) }
  text (at) { return textIn(this.c.memory, at) }

  // Calls fn, which calls the module, with an allocator for its arguments. Returns {value}, or null if bytes are
  // missing: then await host.fetchWanted and try again. Throws any other failure.
  #attempt (fn) {
    if (this.#dead) throw new TacoError('state', this.#dead)
    if (this.#givenUp) throw new NeedsLarger(this.#givenUp)
    const { host } = this
    const scratch = new Scratch(this)
    const clear = new Uint8Array(this.memory, this.#error, 24)
    clear.fill(0)
    host.memory = this.c.memory
    host.failed = null
    host.warns = 0
    try {
      const value = fn(scratch)
      const failure = this.#failure()
      const lacked = this.#lacked(failure)
      if (failure ? host.isWaiting : host.wantedFiles.size > 0 || !lacked) return failure ? null : { value }
      throw lacked ? new NeedsLarger(failure ?? new TacoError('unsupported', LACKS)) : failure
    } catch (e) {
      if (e instanceof GivenUp) {
        this.isStarved = host.isWaiting
        this.#givenUp = new TacoError(STATUS[e.code] ?? 'unknown', `${STATUS[e.code]}: ${LACKS}`)
        throw new NeedsLarger(this.#givenUp)
      }
      if (e instanceof WebAssembly.RuntimeError || e instanceof RangeError) {
        this.#dead = 'the dataset was closed by an earlier failure'
        throw new TacoError('internal', `the module failed: ${e.message}`, null, { cause: e })
      }
      throw e
    } finally {
      if (!this.isDead) scratch.free()
    }
  }

  // Whether the larger module might have done more in this call, or reported more.
  #lacked (failure) {
    if (!this.isSmall) return false
    return (failure && failure !== this.host.failed) || (this.host.warns > 0 && !!this.host.options.onWarning)
  }

  #failure () {
    const view = this.view()
    const code = view.getInt32(this.#error + ERROR.code, true)
    if (!code) return null
    if (this.host.failed) return this.host.failed
    const offset = view.getBigUint64(this.#error + ERROR.offset, true)
    const word = STATUS[code] ?? 'unknown'
    return new TacoError(word, this.text(this.#error + ERROR.text) || `${word}: ${LACKS}`,
      offset === 0xFFFFFFFFFFFFFFFFn ? null : Number(offset))
  }

  // Calls fn until it has all the bytes it needs. A call may succeed although it took a file not looked up yet for one
  // that does not exist: then undo disposes of the value, and the call is repeated.
  async run (fn, signal, undo = () => {}) {
    signal?.throwIfAborted()
    if (!this.host.busy) this.host.trim(this.cacheBytes)
    this.hold()
    try {
      for (;;) {
        const done = this.#attempt(fn)
        if (done && !this.host.wantedFiles.size) {
          this.host.wanted = [] // bytes it turned out not to need
          return done.value
        }
        if (done) undo(done.value)
        await this.host.fetchWanted(signal)
        signal?.throwIfAborted()
      }
    } finally {
      this.unhold()
    }
  }

  // A single attempt, without fetching: {value}, or null if bytes are missing.
  attempt (fn) {
    return this.#attempt(fn)
  }

  // Calls fn, which only looks at what was read when the dataset was opened, and never fails.
  look (fn) {
    if (this.#dead) throw new TacoError('state', this.#dead)
    const scratch = new Scratch(this)
    try {
      return fn(scratch)
    } finally {
      scratch.free()
    }
  }

  // Whether no call may follow.
  get isDead () { return this.isClosed || this.#givenUp !== null }
  get isClosed () { return this.#dead !== null }

  hold () {
    this.#busy++
    this.host.busy++
  }

  unhold () {
    this.#busy--
    this.host.busy--
    this.#release()
  }

  // Another module takes over; cursors that are open in this one may finish.
  retire () {
    this.#isRetired = true
    this.#release()
  }

  #release () {
    if (this.#isRetired && !this.#busy) {
      this.#dead ??= 'a larger module does the work'
      this.c = null
    }
  }

  kill (why) {
    this.#dead = why
    for (const f of this.host.byId) f.source?.close?.()
    this.host.byId = []
    this.c = null
  }
}

const LACKS = 'the module has no part for it, or no text; options.wasm gives no larger one'

// A dataset or file opened in a module. If the module lacks something, it is reopened in the larger one, which takes over
// from then on.
export class Opened {
  #all
  #begin
  #closed = null
  #isSlow = false // there is no faster module
  #growing = null

  // begin(m): a promise of the handle
  static async open (m, begin) {
    const o = new Opened()
    o.m = m
    o.#all = [m]
    o.#begin = begin
    try {
      o.handle = await begin(m)
    } catch (e) {
      try {
        await o.grow(m, e)
      } catch (why) {
        o.kill('the dataset could not be opened')
        throw why
      }
    }
    return o
  }

  // Switches to the larger module after a failure of m; throws the failure if that cannot help.
  async grow (m, e) {
    if (!(e instanceof NeedsLarger)) throw e
    if (this.m !== m) return
    this.#growing ??= this.#grow(m, e.failure).finally(() => { this.#growing = null })
    await this.#growing
  }

  async #grow (m, failure) {
    for (let last = m; ;) {
      const { next, reason } = await this.#successor(last, failure)
      if (!next) throw reason
      this.#all.push(next)
      try {
        const handle = await this.#begin(next)
        if (m.isClosed) return next.kill('the dataset is closed')
        this.m = next
        this.handle = handle
        m.retire()
      } catch (e) {
        if (!(e instanceof NeedsLarger) || reason) throw reason ?? e
        failure = e.failure
        last = next
        continue
      }
      if (reason) throw reason
      return
    }
  }

  // {next, reason}: the module to go on in after a failure of m, if there is one, and the failure to report
  async #successor (m, failure) {
    if (m.isStarved) {
      await m.host.fetchWanted()
      return { next: await m.again() }
    }
    let reason = failure
    const larger = await m.larger().catch(cause => {
      reason = new TacoError(failure.code, `${failure.message}; the larger module: ${cause.message}`, failure.offset, { cause })
    })
    if (larger) return { next: larger }
    // without it, a dataset that is open goes on in another instance
    return { next: m.isDead && this.handle !== undefined ? await m.again() : null, reason }
  }

  // Runs work(m, handle), which awaits calls of the module; repeats it in the larger module if necessary.
  async use (work) {
    for (;;) {
      const { m, handle } = this.check()
      try {
        return await work(m, handle)
      } catch (e) {
        await this.grow(m, e)
      }
    }
  }

  // Returns this; throws if it is closed.
  check () {
    if (this.#closed) throw new TacoError('state', this.#closed)
    return this
  }

  // Switches to the faster module for work on many rows, if there is one.
  async speedUp (rows) {
    const { m } = this
    if (rows < MANY_ROWS || !m.isSmall || !hasSimd() || this.#isSlow) return
    await this.grow(m, new NeedsLarger(new TacoError('unsupported', LACKS))).catch(() => { this.#isSlow = true })
  }

  kill (why) {
    this.#closed ??= why
    for (const m of this.#all) m.kill(why)
  }
}

// Memory for the arguments of one call, freed together.
export class Scratch {
  constructor (m) {
    this.m = m
    this.blocks = []
  }

  alloc (n) {
    const at = this.m.c.alloc(n || 1)
    if (!at) throw new TacoError('memory', `out of memory for ${n} bytes`)
    this.blocks.push(at)
    new Uint8Array(this.m.memory, at, n).fill(0)
    return at
  }

  // A zero-terminated string; 0 if s is null or undefined.
  text (s) {
    if (s === undefined || s === null) return 0
    if (String(s).includes('\0')) throw new TacoError('argument', 'a text contains a zero byte')
    const bytes = encoder.encode(String(s))
    const at = this.alloc(bytes.length + 1)
    new Uint8Array(this.m.memory, at, bytes.length).set(bytes)
    return at
  }

  texts (list) {
    const all = list.map(s => this.text(s))
    const at = this.alloc(4 * all.length)
    const view = this.m.view()
    all.forEach((p, i) => view.setUint32(at + 4 * i, p, true))
    return at
  }

  // A copy of the bytes that the {data, len} at an address refers to.
  bytes (at) {
    const view = this.m.view()
    const data = view.getUint32(at, true)
    return data ? new Uint8Array(this.m.memory, data, view.getUint32(at + 4, true)).slice() : null
  }

  free () {
    for (const at of this.blocks) this.m.c.release(at)
    this.blocks = []
  }
}
