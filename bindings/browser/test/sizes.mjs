// sizes.mjs - what a page downloads: our modules and, with PARTS, a directory of modules without something, the readers
// of npm and what each part of ours adds.
//   node test/sizes.mjs MODULES [PARTS] [--check README.md]  fails where a table of README.md is more than 2 % off
//   node test/sizes.mjs MODULES PARTS --write README.md      puts the numbers into the tables
import { buildSync } from 'esbuild'
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import zlib from 'node:zlib'

const here = path.resolve(import.meta.dirname, '..')
const { positionals: [modules, parts], values: options } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'string' }, write: { type: 'string' } }
})
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
const printed = new Map() // raw, gzip, brotli by what was measured
const line = (what, numbers) => {
  printed.set(what, numbers)
  console.log(`${what.padEnd(54)}${numbers.map(number).join('')}`)
}
const print = (what, list) => {
  const s = list.some(d => d.length > 1e6) ? keep(what, list) : sizes(list)
  line(what, s)
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
for (const name of ['taco', 'taco-parquet', 'taco-full', 'taco-full-simd', 'taco-sql', 'taco-sql-simd', 'taco-write']) print(`${name}.wasm`, [ours(name)])
const js = bundle('export * from "./js/index.js"')
print('JavaScript of datasets', [js])
const small = print('taco.wasm and JavaScript', [ours('taco'), js])
print('that and taco-full.wasm', [ours('taco'), ours('taco-full'), js])
print('that and taco-full-simd.wasm', [ours('taco'), ours('taco-full-simd'), js])
print('taco-sql.wasm and JavaScript', [ours('taco-sql'), js])
print('taco-parquet.wasm and JavaScript', [ours('taco-parquet'), bundle('export * from "./js/parquet.js"')])
if (parts) {
  beside()
  without()
}

// Readers of npm.
function beside () {
  console.log()
  print('hyparquet, without codecs but Snappy', [bundle('export {parquetReadObjects, parquetMetadata} from "hyparquet"')])
  print('hyparquet and hyparquet-compressors', [bundle('export {parquetReadObjects, parquetMetadata} from "hyparquet"; export {compressors} from "hyparquet-compressors"')])
  const peer = print('parquet-wasm and its JavaScript', [module('parquet-wasm/esm/parquet_wasm_bg.wasm'), bundle('export * from "./node_modules/parquet-wasm/esm/parquet_wasm.js"')])
  print('parquet-wasm and apache-arrow', [module('parquet-wasm/esm/parquet_wasm_bg.wasm'), bundle('export * from "./node_modules/parquet-wasm/esm/parquet_wasm.js"; export {tableFromIPC} from "apache-arrow"')])
  print('duckdb-wasm (eh), its worker and JavaScript', [module('@duckdb/duckdb-wasm/dist/duckdb-eh.wasm'),
    module('@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js'), bundle('export * from "./node_modules/@duckdb/duckdb-wasm/dist/duckdb-browser.mjs"')])
  console.log(`\nparquet-wasm is ${(peer[2] / small[2]).toFixed(1)} times taco-h (brotli)`)
}

// The same module whole and with one thing left out: the difference is what it adds.
function without () {
  const part = f => sizes([fs.readFileSync(path.join(parts, f))])
  const whole = part('NOTHING.wasm')
  console.log(`\n${'part of taco-full.wasm: what it adds'.padEnd(54)}${['raw', 'gzip -9', 'brotli -11'].map(s => s.padStart(11)).join('')}`)
  for (const f of fs.readdirSync(parts).filter(f => f.endsWith('.wasm') && f !== 'NOTHING.wasm').sort()) {
    const s = part(f)
    line(`part: ${f.replace('.wasm', '')}`, whole.map((n, i) => n - s[i]))
  }
}

// ---- the tables of README.md, whose rows have the names above ----

const readme = options.check ?? options.write
if (readme) {
  const row = /^\| ([^|]+?) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$/gm
  const text = fs.readFileSync(readme, 'utf8')
  const seen = new Set()
  const wrong = []
  const text2 = text.replace(row, (all, label, ...cells) => {
    const name = label.replaceAll('`', '')
    const now = printed.get(name)
    seen.add(name)
    // what was not measured now
    if (!now) return (parts ? wrong.push(`${name}: nothing of that name`) : 0, all)
    const old = cells.slice(0, 3).map(c => Number(c.replaceAll(',', '')))
    // of a small part what the tools do to the rest of the module is more than 2 %
    const most = now.map(n => Math.max(0.02 * n, name.startsWith('part: ') ? 400 : 0))
    if (old.some((n, i) => Math.abs(n - now[i]) > most[i])) wrong.push(`${name}: ${old}, measured are ${now}`)
    return `| ${label} | ${now.map(n => n.toLocaleString('en')).join(' | ')} |`
  })
  for (const name of printed.keys()) if (!seen.has(name) && !name.startsWith('part: ')) wrong.push(`${name}: is not there`)
  if (options.write) {
    fs.writeFileSync(readme, text2)
  } else if (wrong.length) {
    console.error(`${readme} is not of these modules:\n  ${wrong.join('\n  ')}`)
    process.exitCode = 1
  }
}
