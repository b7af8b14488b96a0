// sizes.mjs - what a page downloads: our modules beside the readers of npm, and what each part of ours adds.
// node test/sizes.mjs MODULES [PARTS: directory of modules without something]; --most NAME=BYTES fails above.
import { buildSync } from 'esbuild'
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'

const here = path.resolve(import.meta.dirname, '..')
const [modules, parts] = process.argv.slice(2)
const brotli = d => zlib.brotliCompressSync(d, {
  params: {
    [zlib.constants.BROTLI_PARAM_QUALITY]: 11,
    [zlib.constants.BROTLI_PARAM_LGWIN]: 24,
    [zlib.constants.BROTLI_PARAM_SIZE_HINT]: d.length
  }
}).length
const sizes = list => list.reduce(([r, g, b], d) => [r + d.length, g + zlib.gzipSync(d, { level: 9 }).length, b + brotli(d)], [0, 0, 0])
const number = n => n.toLocaleString('en').padStart(11)
// Peers take minutes to compress, and are always the same: their sizes are kept beside the modules' objects.
const kept = path.join(here, '../../build/wasm/peers.json')
const peers = fs.existsSync(kept) ? JSON.parse(fs.readFileSync(kept)) : {}
const keep = (what, list) => {
  const key = `${what} ${list.map(d => d.length)}`
  peers[key] ??= sizes(list)
  fs.mkdirSync(path.dirname(kept), { recursive: true })
  fs.writeFileSync(kept, JSON.stringify(peers))
  return peers[key]
}
const print = (what, list) => {
  const s = list.some(d => d.length > 1e6) ? keep(what, list) : sizes(list)
  console.log(`${what.padEnd(54)}${s.map(number).join('')}`)
  return s
}

// Source text as a page would download it.
const bundle = source => buildSync({
  stdin: { contents: source, resolveDir: here, loader: 'js' },
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  external: ['*.wasm', 'node:*'],
  define: { 'import.meta.url': '""' },
  write: false,
  logLevel: 'error'
}).outputFiles[0].contents
const module = name => fs.readFileSync(path.join(here, 'node_modules', name))
const ours = name => fs.readFileSync(path.join(modules, `${name}.wasm`))

console.log(`${''.padEnd(54)}${['raw', 'gzip -9', 'brotli -11'].map(s => s.padStart(11)).join('')}`)
for (const name of ['taco', 'taco-simd', 'taco-sql', 'taco-sql-simd', 'taco-parquet', 'taco-parquet-simd', 'taco-write']) print(`${name}.wasm`, [ours(name)])
const least = parts && path.join(parts, 'least.wasm')
if (least && fs.existsSync(least)) print('taco-parquet.wasm of ZSTD and Snappy alone, no text', [fs.readFileSync(least)])
const js = bundle('export * from "./js/index.js"')
print('taco-h: JavaScript of datasets', [js])
const small = print('taco-h: taco.wasm and JavaScript', [ours('taco'), js])
print('taco-h: taco-sql.wasm and JavaScript', [ours('taco-sql'), js])
print('taco-h/parquet: taco-parquet.wasm and JavaScript', [ours('taco-parquet'), bundle('export * from "./js/parquet.js"')])
console.log()
print('hyparquet, without codecs but Snappy', [bundle('export {parquetReadObjects, parquetMetadata} from "hyparquet"')])
print('hyparquet and hyparquet-compressors', [bundle('export {parquetReadObjects, parquetMetadata} from "hyparquet"; export {compressors} from "hyparquet-compressors"')])
const peer = print('parquet-wasm and its JavaScript', [module('parquet-wasm/esm/parquet_wasm_bg.wasm'), bundle('export * from "./node_modules/parquet-wasm/esm/parquet_wasm.js"')])
print('parquet-wasm and apache-arrow', [module('parquet-wasm/esm/parquet_wasm_bg.wasm'), bundle('export * from "./node_modules/parquet-wasm/esm/parquet_wasm.js"; export {tableFromIPC} from "apache-arrow"')])
print('duckdb-wasm (eh), worker and JavaScript', [module('@duckdb/duckdb-wasm/dist/duckdb-eh.wasm'),
  module('@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js'), bundle('export * from "./node_modules/@duckdb/duckdb-wasm/dist/duckdb-browser.mjs"')])
console.log(`\nparquet-wasm is ${(peer[2] / small[2]).toFixed(1)} times taco-h (brotli)`)

// The same module with one thing left out: the difference is what it adds.
if (parts && fs.existsSync(parts)) {
  const whole = sizes([ours('taco')])
  console.log(`\n${'part of taco.wasm: what it adds'.padEnd(54)}${['raw', 'gzip -9', 'brotli -11'].map(s => s.padStart(11)).join('')}`)
  for (const f of fs.readdirSync(parts).filter(f => f.endsWith('.wasm') && f !== 'least.wasm').sort()) {
    const s = sizes([fs.readFileSync(path.join(parts, f))])
    console.log(`${f.replace('.wasm', '').padEnd(54)}${s.map((x, i) => number(whole[i] - x)).join('')}`)
  }
}
