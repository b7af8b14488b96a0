// browser.mjs DIR - filters a million rows and makes the paths of the matches, and reads three columns: the ES module,
// hyparquet, parquet-wasm and build/taco, alternating in one run. Compares their results. Then loads the first page of the
// archive over HTTP. Uses CPU time, since other programs may be running. Fails if the filter is less than 5 times as fast
// as hyparquet and parquet-wasm, or takes more than 3 times as long as build/taco, or if the first page takes more than 4
// requests or 2 % of the metadata.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { serve } from '../bindings/browser/test/common.mjs'
import { open } from '../bindings/browser/js/index.js'
import { openParquet } from '../bindings/browser/js/parquet.js'

const dir = path.resolve(process.argv[2])
const rounds = Number(process.env.ROUNDS ?? 5)
const root = path.resolve(import.meta.dirname, '..')
const archive = path.join(dir, 'flat_1000000.tacozip')
const from = createRequire(path.join(root, 'bindings/browser/package.json'))
const load = name => import(pathToFileURL(from.resolve(name)).href)
const { parquetReadObjects, parquetRead } = await load('hyparquet')
const { compressors } = await load('hyparquet-compressors')
const modules = path.join(root, 'bindings/browser/node_modules')
const pw = await import(pathToFileURL(path.join(modules, 'parquet-wasm/esm/parquet_wasm.js')).href)
pw.initSync({ module: fs.readFileSync(path.join(modules, 'parquet-wasm/esm/parquet_wasm_bg.wasm')) })
const { tableFromIPC } = await load('apache-arrow')

const bytes = fs.readFileSync(path.join(dir, 'level0.parquet'))
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
const columns = ['cloud_cover', 'internal:offset', 'internal:size']
const limit = 98.6
let childMs = 0 // what the last process used
const vsi = (offset, size) => `/vsisubfile/${offset}_${size},${archive}`
// Null rows have any value, or null.
const sum = (values, isValid = () => true) => {
  let s = 0
  for (let i = 0; i < values.length; i++) if (isValid(i)) s += Number(values[i])
  return s
}

// Each answers with the paths of rows that match, or the sums of three columns.
const filters = {
  'taco-h': async () => {
    const ds = await open(archive)
    const { 'internal:gdal_vsi': c } = await ds.query({ where: `cloud_cover > ${limit}`, select: ['internal:gdal_vsi'] }).columns()
    ds.close()
    return c.values
  },
  'taco-h, opened before': async () => {
    const { 'internal:gdal_vsi': c } = await warm.query({ where: `cloud_cover > ${limit}`, select: ['internal:gdal_vsi'] }).columns()
    return c.values
  },
  hyparquet: async () => {
    const rows = await parquetReadObjects({ file: buffer, columns, compressors, filter: { cloud_cover: { $gt: limit } } })
    return rows.map(r => vsi(r['internal:offset'], r['internal:size']))
  },
  'parquet-wasm and apache-arrow': async () => {
    const table = tableFromIPC(pw.readParquet(new Uint8Array(buffer), { columns, batchSize: 65536 }).intoIPCStream())
    const out = []
    for (const b of table.batches) {
      const [c, o, s] = columns.map(name => b.getChild(name))
      const values = c.data[0].values
      for (let i = 0; i < b.numRows; i++) if (values[i] > limit && c.isValid(i)) out.push(vsi(o.get(i), s.get(i)))
    }
    return out
  },
  'build/taco, a process': async () => {
    const r = spawnSync('bash', ['-c', `TIMEFORMAT='%U %S'; time "$@"`, 'bash', path.join(root, 'build/taco'), 'query', archive,
      '--where', `cloud_cover > ${limit}`, '--format', 'vsi', '--all', '--quiet', '--threads', '1'], { maxBuffer: 1 << 30 })
    childMs = 1000 * r.stderr.toString().trim().split(/\s+/).slice(-2).reduce((a, b) => a + Number(b), 0)
    return r.stdout.toString().trim().split('\n')
  }
}
const reads = {
  'taco-h': async () => {
    const file = await openParquet(buffer)
    const got = await file.query({ columns }).columns()
    file.close()
    return columns.map(name => sum(got[name].values, i => !got[name].valid || got[name].valid[i]))
  },
  hyparquet: async () => {
    const sums = Object.fromEntries(columns.map(c => [c, 0]))
    await parquetRead({ file: buffer, columns, compressors, onChunk: c => { sums[c.columnName] += sum(c.columnData) } })
    return columns.map(name => sums[name])
  },
  'parquet-wasm and apache-arrow': async () => {
    const table = tableFromIPC(pw.readParquet(new Uint8Array(buffer), { columns, batchSize: 65536 }).intoIPCStream())
    return columns.map(name => {
      let s = 0
      for (const b of table.batches) {
        const c = b.getChild(name)
        const { values } = c.data[0]
        for (let i = 0; i < values.length; i++) if (c.isValid(i)) s += Number(values[i])
      }
      return s
    })
  }
}
const warm = await open(archive)

const median = list => [...list].sort((a, b) => a - b)[list.length >> 1]

// The same texts, or sums but for how they were rounded.
function same (a, b, name) {
  assert.equal(a.length, b.length, name)
  const [x, y] = [[...a].sort(), [...b].sort()]
  x.forEach((v, i) => assert.ok(v === y[i] || Math.abs(v - y[i]) <= 1e-9 * Math.abs(v), `${name}: ${v}, ${y[i]} expected`))
}

// least: how many times as long as taco-h a task takes, if the medians are of 3 rounds or more.
async function compare (title, tasks, least = {}) {
  const times = Object.fromEntries(Object.keys(tasks).map(n => [n, []]))
  const answers = {}
  for (let i = 0; i < rounds; i++) {
    for (const [name, task] of Object.entries(tasks)) {
      globalThis.gc?.()
      const before = process.cpuUsage()
      answers[name] = await task()
      const used = process.cpuUsage(before)
      times[name].push(/process/.test(name) ? childMs : (used.user + used.system) / 1000)
    }
  }
  const first = answers['taco-h']
  for (const [name, a] of Object.entries(answers)) same(a, first, name)
  console.log(`\n${title}: ${first.length} results, the same from all; CPU ms, medians of ${rounds}, and the first`)
  const base = median(times['taco-h'])
  for (const [name, t] of Object.entries(times)) {
    console.log(`  ${name.padEnd(32)}${median(t).toFixed(1).padStart(9)}${t[0].toFixed(1).padStart(9)}   ${(median(t) / base).toFixed(2).padStart(7)} times taco-h`)
  }
  for (const [name, n] of Object.entries(least)) {
    const ratio = median(times[name]) / base
    assert.ok(rounds < 3 || ratio >= n, `${name} takes ${ratio.toFixed(2)} times what taco-h does, ${n.toFixed(2)} at least are expected`)
  }
}

await compare(`rows with cloud_cover > ${limit}, and their paths`, filters,
  { hyparquet: 5, 'parquet-wasm and apache-arrow': 5, 'build/taco, a process': 1 / 3 })
await compare('three columns of all rows', reads)
warm.close()

// The first page of the table, as the explorer shows it.
const server = await serve(dir)
const ds = await open(`${server.url}/flat_1000000.tacozip`)
const shown = (await ds.columns()).filter(f => f.type !== 'BINARY' && !f.name.startsWith('internal:') && !f.children?.[0]?.children).map(f => f.name)
const rows = await ds.query({ select: shown, limit: 100 }).rows()
const whole = fs.statSync(path.join(dir, 'level0.parquet')).size
const got = server.log.reduce((n, r) => n + r.bytes, 0)
console.log(`\nfirst ${rows.length} rows over HTTP: ${server.log.length} requests, ${got} bytes, ${(100 * got / whole).toFixed(2)} % of the metadata`)
assert.ok(server.log.length <= 4 && got <= 0.02 * whole)
ds.close()
await server.close()
