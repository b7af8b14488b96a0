// module.test.mjs - the ES module in Node: sources, requests, memory, aborting, values, failures.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { spawn } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { open, TacoError } from '../js/index.js'
import { openParquet } from '../js/parquet.js'
import { Ranges, coalesce } from '../js/ranges.js'
import { data, makeSparse, native, root, run, scalar, serve, simd, slow } from './common.mjs'

const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'taco-module-'))
after(() => fs.rmSync(temporary, { recursive: true }))
const stac = path.join(data, 'geo_stac.tacozip')
const nested = path.join(data, 'nested.tacozip')
const types = path.join(data, 'types.tacozip')

const printed = async rows => (await rows.text('ndjson'))
const tool = (...args) => native('query', ...args, '--all', '--quiet', '--format', 'ndjson').out.toString()
const failsWith = (promise, code, message) => assert.rejects(promise, e => {
  assert.ok(e instanceof TacoError, e.stack)
  assert.equal(e.code, code, e.message)
  assert.match(e.message, message)
  return true
})

test('ranges: kept, joined, forgotten', () => {
  const r = new Ranges()
  const bytes = Uint8Array.from({ length: 100 }, (_, i) => i)
  r.add(10, bytes.subarray(10, 20))
  r.add(30, bytes.subarray(30, 40))
  assert.deepEqual(r.missing(5, 40), [{ offset: 5, length: 5 }, { offset: 20, length: 10 }, { offset: 40, length: 5 }])
  r.add(0, bytes.subarray(0, 50))
  assert.ok(r.has(0, 50) && !r.has(0, 51) && r.bytes === 50)
  const out = new Uint8Array(50)
  r.copy(0, out)
  assert.deepEqual(out, bytes.slice(0, 50))
  r.trim(20)
  assert.ok(r.bytes <= 20)
  assert.deepEqual(coalesce([{ offset: 90, length: 5 }, { offset: 0, length: 10 }, { offset: 15, length: 5 }], 8),
    [{ offset: 0, length: 20 }, { offset: 90, length: 5 }])
})

test('every kind of source gives the same rows', async () => {
  const bytes = fs.readFileSync(stac)
  const want = tool(stac)
  const custom = slow(stac)
  const sources = [stac, bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), new Blob([bytes]),
    new File([bytes], 'f.tacozip'), custom]
  for (const source of sources) {
    const ds = await open(source, { name: stac })
    assert.equal(await printed(ds.query()), want)
    assert.equal(ds.info.n, 10)
    assert.equal(ds.collection('id'), 'geo-stac')
    ds.close()
    await failsWith(ds.query().count(), 'state', /closed/)
  }
  custom.close()
  await failsWith(open(17), 'argument', /open takes/)
  await failsWith(open(path.join(temporary, 'none.tacozip')), 'not found', /none\.tacozip/)
})

test('filters, SQL, levels, reading, payload', async () => {
  const ds = await open(stac, { sql: true })
  const same = async (q, ...args) => assert.equal(await printed(ds.query(q)), tool(stac, ...args))
  await same({ where: "id > 'p4'" }, '--where', "id > 'p4'")
  await same({ bbox: [-80, -20, 10, 45] }, '--bbox=-80,-20,10,45')
  await same({ time: ['2020-01-01', '2022-12-31'] }, '--time', '2020-01-01/2022-12-31')
  await same({ order: 'id desc', limit: 3, offset: 1 }, '--order', 'id desc', '--limit', '3', '--offset', '1')
  await same({ select: ['id', 'stac:crs'] }, '--select', 'id, "stac:crs"')
  await same('SELECT count(*) AS n, "stac:crs" FROM data GROUP BY ALL ORDER BY ALL', '--sql', 'SELECT count(*) AS n, "stac:crs" FROM data GROUP BY ALL ORDER BY ALL')
  assert.equal(await ds.query({ sql: 'SELECT id FROM data', where: "id > 'p4'" }).count(), 5)
  assert.equal((await ds.plan({ where: "id > 'p4'" })).rounds >= 0, true)
  assert.match(await ds.plan('SELECT id FROM data', { text: true }), /\w/)
  const payload = await ds.payload('p0')
  const bytes = fs.readFileSync(stac)
  assert.equal(payload.vsi, `/vsisubfile/194_552,${stac}`)
  assert.ok(Buffer.from(await payload.bytes()).equals(bytes.subarray(194, 746)))
  assert.ok(Buffer.from(await payload.bytes(2, 5)).equals(bytes.subarray(196, 199)))
  assert.equal((await payload.blob()).size, 552)
  await failsWith(ds.query({ where: 'id = AND' }).rows(), 'syntax', /expected/)
  await failsWith(ds.query({ wheer: 'id' }).rows(), 'argument', /no 'wheer'/)
  await failsWith(ds.query({ bbox: [1, 2, 3] }).rows(), 'argument', /four numbers/)
  await failsWith(ds.payload('none'), 'not found', /none/)
  assert.equal(await ds.query({ where: "id = 'none'" }).text('csv'), (await ds.query({ limit: 1 }).text('csv')).split('\n')[0] + '\n')
  ds.close()
  const tree = await open(nested)
  const [first] = await tree.query({ limit: 1 }).rows()
  assert.equal(first.type, 'FOLDER')
  assert.equal((await tree.read(first.id).rows()).length, 3)
  await failsWith(tree.payload(first.id), 'argument', /FOLDER/)
  await failsWith((async () => tree.query('SELECT 1'))(), 'unsupported', /sql: true/)
  assert.equal(await printed(tree.query({ table: 1, flat: true })), tool(nested, '--table', 'l1'))
  tree.close()
})

test('values of every type', async () => {
  const ds = await open(types)
  const rows = await ds.query().rows()
  const columns = await ds.query().columns()
  const lines = tool(types).trim().split('\n').map(l => JSON.parse(l))
  assert.equal(rows.length, lines.length)
  let compared = 0
  for (const field of await ds.columns()) {
    const c = columns[field.name]
    assert.equal(c.length, rows.length)
    lines.forEach((line, i) => {
      const want = line[field.name]
      const got = rows[i][field.name]
      assert.equal(got === null, want === null, `${field.name} ${i}`)
      if (want === null) return assert.equal(c.valid[i], 0)
      compared++
      if (/^U?INT/.test(field.type) && typeof got === 'number') assert.equal(got, want, field.name)
      else if (field.type === 'TEXT' || field.type === 'BOOL' || field.type === 'UUID') assert.equal(got, want, field.name)
      else if (field.type === 'DECIMAL') assert.equal(Number(got), Number(want), field.name)
      else if (field.type === 'TIMESTAMP' || field.type === 'DATE') assert.equal(got.toISOString().slice(0, 10), String(want).slice(0, 10), field.name)
      else if (field.type === 'BINARY' || field.type === 'FIXED') assert.equal(Buffer.from(got).toString('hex'), want, field.name)
      else if (field.type === 'LIST') assert.equal(got.length, want.length, field.name)
      else if (field.type === 'STRUCT') assert.deepEqual(Object.keys(got), Object.keys(want), field.name)
    })
  }
  assert.ok(compared > 50, `${compared} values`)
  ds.close()
})

test('Parquet files of rows have the rows', async () => {
  for (const file of [stac, nested, types]) {
    const ds = await open(slow(file), { name: file })
    const bytes = await ds.query().parquet()
    assert.equal(String.fromCharCode(...bytes.subarray(0, 4)), 'PAR1')
    fs.writeFileSync(path.join(temporary, 'rows.parquet'), bytes)
    const back = await openParquet(bytes)
    assert.equal(await printed(back.query()), tool(file))
    assert.equal(native('parquet', 'verify', path.join(temporary, 'rows.parquet')).error, null)
    const none = await openParquet(await ds.query({ where: "id = 'none'" }).parquet())
    assert.equal(none.rows, 0)
    ds.close()
  }
  await failsWith((await open(stac)).query({ where: 'nowhere = 1' }).parquet(), 'not found', /nowhere/)
})

test('Arrow streams are read by apache-arrow', async () => {
  const { tableFromIPC } = await import('apache-arrow')
  const ds = await open(stac)
  const table = tableFromIPC(await ds.query({ select: ['id', 'stac:time_start', 'internal:size'] }).arrow())
  assert.equal(table.numRows, 10)
  assert.deepEqual([...table.getChild('id')], (await ds.query().rows()).map(r => r.id))
  assert.equal(tableFromIPC(await ds.query({ where: "id = 'none'" }).arrow()).numRows, 0)
  ds.close()
})

test('HTTP: few requests, ranges, and what a server may do wrong', async () => {
  const there = await serve(data)
  const ds = await open(`${there.url}/geo_stac.tacozip`)
  const opened = there.log.length
  assert.ok(opened <= 2, `${opened} requests to open`)
  assert.equal(await ds.query().count(), 10)
  const rows = await ds.query({ limit: 1 }).rows()
  assert.equal(rows[0]['internal:gdal_vsi'], `/vsisubfile/194_552,/vsicurl/${there.url}/geo_stac.tacozip`)
  await (await ds.payload('p0')).bytes()
  assert.equal(ds.meter.requests, there.log.length)
  assert.equal(ds.meter.bytes, there.log.reduce((n, r) => n + r.bytes, 0))
  assert.ok(there.log.length <= 4, `${there.log.length} requests`)
  ds.close()
  // a FOLDER and a catalogue: their other files are fetched by their names
  for (const name of ['nested_folder', 'tacocat_binary/__TACOCAT__']) {
    const d = await open(`${there.url}/${name}`)
    const want = native('query', path.join(data, name), '--all', '--quiet', '--format', 'ndjson', '--select', 'id').out.toString()
    assert.equal(await d.query({ select: ['id'] }).text('ndjson'), want)
    d.close()
  }
  await failsWith(open(`${there.url}/none.tacozip`), 'not found', /404/)
  await there.close()
  const whole = await serve(data, { ranges: false })
  await failsWith(open(`${whole.url}/geo_stac.tacozip`), 'ranges', /does not answer range requests/)
  await whole.close()
  const down = await serve(data, { status: 503 })
  await failsWith(open(`${down.url}/geo_stac.tacozip`), 'network', /503/)
  await down.close()
  await failsWith(open('http://127.0.0.1:9/x.tacozip'), 'network', /could not be fetched/)
  // the first request has the header alone: the second one finds another file
  let tag = '"1"'
  makeSparse(path.join(temporary, 'changing.tacozip'), 1e6)
  const changing = await serve(temporary, { tag: () => { const t = tag; tag = '"2"'; return t } })
  await failsWith(open(`${changing.url}/changing.tacozip`), 'io', /changed while it was read/)
  await changing.close()
})

test('the first page of a million rows takes few requests and bytes', async () => {
  const ds = await open(stac, { sql: true })
  const made = await ds.query(`SELECT range AS n, 'sample_' || range AS id, range * 7919 % 1000003 AS a, sqrt(range * 7919 % 1000003) AS b
    FROM range(1000000)`).parquet()
  ds.close()
  fs.writeFileSync(path.join(temporary, 'million.parquet'), made)
  const there = await serve(temporary)
  const file = await openParquet(`${there.url}/million.parquet`)
  assert.equal(file.rows, 1000000)
  const rows = await file.query({ limit: 100 }).rows()
  assert.deepEqual(rows.map(r => r.n), Array.from({ length: 100 }, (_, i) => i))
  assert.equal(rows[99].id, 'sample_99')
  const bytes = there.log.reduce((n, r) => n + r.bytes, 0)
  assert.ok(there.log.length <= 4 && bytes <= 0.04 * made.length, `${there.log.length} requests, ${bytes} of ${made.length} bytes`)
  file.close()
  await there.close()
  // work on all rows is for the faster module, which has the same answers
  const { names, wasm } = asking()
  const fast = await openParquet(made, { wasm })
  assert.deepEqual(await fast.query({ limit: 100 }).rows(), rows)
  assert.deepEqual(names, ['taco-parquet'])
  const many = await fast.query({ where: 'a >= 500000' }).count()
  assert.ok(many > 490000)
  assert.deepEqual(names, ['taco-parquet', 'taco-full'])
  fast.close()
  const small = await openParquet(made, { wasm: await scalar('taco-parquet.wasm') })
  assert.equal(await small.query({ where: 'a >= 500000' }).count(), many)
  small.close()
})

test('aborting and progress', async () => {
  const source = slow(stac)
  const seen = []
  const control = new AbortController()
  const ds = await open(source, { onProgress: p => seen.push(p) })
  assert.ok(seen.length && seen.at(-1).bytes > 0)
  control.abort()
  await assert.rejects(ds.query({ signal: control.signal }).rows(), { name: 'AbortError' })
  assert.equal(await ds.query().count(), 10)
  const never = { size: 1000, read: (o, n, signal) => new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))) }
  const later = new AbortController()
  setTimeout(() => later.abort(), 20)
  await assert.rejects(open(never, { signal: later.signal }), { name: 'AbortError' })
  await failsWith(open({ size: 1000, read: async () => new Uint8Array(3) }), 'io', /3 bytes were read/)
  ds.close()
  source.close()
})

test('aborting in the middle of a query', async () => {
  const ds = await open(stac, { sql: true })
  const made = path.join(temporary, 'some.parquet')
  fs.writeFileSync(made, await ds.query("SELECT range AS n, 'sample_' || range * 7919 % 1000003 AS id FROM range(150000)").parquet())
  const inner = slow(made)
  let isStuck = false
  const read = (offset, length, signal) => isStuck
    ? new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    : inner.read(offset, length)
  const file = await openParquet({ size: inner.size, read })
  isStuck = true
  for (const method of ['rows', 'columns', 'count', 'text', 'arrow', 'parquet']) {
    const control = new AbortController()
    setTimeout(() => control.abort(), 20)
    await assert.rejects(file.query({}, { signal: control.signal })[method](), { name: 'AbortError' }, method)
  }
  isStuck = false
  assert.equal(await file.query({ where: "id = 'sample_7919'" }).count(), 1)
  file.close()
  inner.close()
  // work without reads ends, too
  const control = new AbortController()
  setTimeout(() => control.abort(), 50)
  await assert.rejects(ds.query('SELECT range AS n FROM range(1000000000)', { signal: control.signal }).count(), { name: 'AbortError' })
  assert.equal(await ds.query().count(), 10)
  ds.close()
})

test('a payload is located, and a slice of its File, without reading', async () => {
  const bytes = fs.readFileSync(stac)
  const ds = await open(new File([bytes], 'f.tacozip'))
  const before = ds.meter
  const payload = await ds.payload('p0')
  const blob = await payload.blob('image/tiff')
  assert.deepEqual([blob.size, blob.type, ds.meter], [552, 'image/tiff', before])
  assert.ok(Buffer.from(await blob.arrayBuffer()).equals(bytes.subarray(194, 746)))
  assert.equal(ds.size, bytes.length)
  ds.close()
  const folder = await open(path.join(data, 'nested_folder'))
  assert.equal(folder.size, null)
  folder.close()
})

test('simd128 is used where there is simd128', async () => {
  const { validate } = WebAssembly
  try {
    for (const [has, kind] of [[true, '-simd'], [false, '']]) {
      WebAssembly.validate = () => has
      for (const [options, name] of [[{ full: true }, 'taco-full'], [{ sql: true }, 'taco-sql'], [{}, 'taco']]) {
        const names = []
        const ds = await open(stac, { ...options, wasm: n => { names.push(n); return simd(n) } })
        assert.equal(await ds.query().count(), 10)
        assert.deepEqual(names, [`${name}${name === 'taco' ? '' : kind}.wasm`])
        ds.close()
      }
    }
  } finally {
    WebAssembly.validate = validate
  }
})

test('what is declared is there, and what is there is declared', async () => {
  const declared = (file, name) => {
    const text = fs.readFileSync(path.join(root, 'bindings/browser/js', file), 'utf8')
    const body = new RegExp(`export interface ${name}[^{]*\\{(.*?)\\n\\}`, 's').exec(text)[1]
    return [...new Set([...body.matchAll(/^ {2}(?:readonly )?(\w+) ?[?:(]/gm)].map(m => m[1]))].sort()
  }
  const has = object => {
    const names = new Set(Object.keys(object))
    for (let p = Object.getPrototypeOf(object); p !== Object.prototype; p = Object.getPrototypeOf(p)) Object.getOwnPropertyNames(p).forEach(n => names.add(n))
    names.delete('constructor')
    return [...names].sort()
  }
  const ds = await open(stac)
  const file = await openParquet(path.join(root, 'tests/data/pages.parquet'))
  for (const [object, ...where] of [[ds, 'index.d.ts', 'Dataset'], [ds.query(), 'index.d.ts', 'Rows'],
    [await ds.payload('p0'), 'index.d.ts', 'Payload'], [file, 'parquet.d.ts', 'ParquetFile']]) {
    assert.deepEqual(has(object), declared(...where), where.join())
  }
  file.close()
  ds.close()
})

test('rows one by one, left early; several at a time', async () => {
  const ds = await open(slow(stac))
  const first = []
  for await (const row of ds.query()) { first.push(row.id); if (first.length === 3) break }
  assert.deepEqual(first, ['p0', 'p1', 'p2'])
  const [a, b, c] = await Promise.all([ds.query().count(), ds.query({ where: "id > 'p4'" }).count(), ds.query().text('csv')])
  assert.deepEqual([a, b, c.split('\n').length], [10, 5, 12])
  for await (const batch of ds.query({ select: ['id'] }).batches()) assert.equal(batch.columns.id.values.length, batch.length)
  ds.close()
})

test('a FOLDER and a catalogue whose files the caller has', async () => {
  for (const name of ['nested_folder', 'tacocat_binary']) {
    const dir = path.join(data, name)
    const resolve = n => {
      const f = path.join(data, n)
      return fs.existsSync(f) && fs.statSync(f).isFile() ? new Blob([fs.readFileSync(f)]) : null
    }
    const main = name === 'nested_folder' ? name : `${name}/__TACOCAT__`
    const ds = await open(name === 'nested_folder' ? { name, isDirectory: true } : new File([fs.readFileSync(path.join(data, main))], main), { resolve })
    assert.equal(await ds.query({ select: ['id'] }).text('ndjson'),
      native('query', dir, '--all', '--quiet', '--format', 'ndjson', '--select', 'id').out.toString())
    // levels are found by their files, which are asked for first
    assert.equal(ds.info.levels.length, 2)
    const [row] = await ds.query({ level: 1, where: "type = 'FILE'", limit: 1 }).rows()
    assert.ok((await (await ds.payloadOfVsi(row['internal:gdal_vsi'])).bytes()).length > 0)
    ds.close()
  }
})

// Modules by name, and which were asked for.
function asking (which = simd) {
  const names = []
  const wasm = name => { names.push(name.replace(/-simd|\.wasm/g, '')); return which(name) }
  return { names, wasm }
}

test('common datasets and queries need the small module alone', async () => {
  for (const file of [stac, nested]) {
    const { names, wasm } = asking()
    const ds = await open(slow(file), { wasm, name: file })
    assert.deepEqual((await ds.query({ select: ['id', 'type'], where: "type = 'FILE' OR id > 'p4'" }).rows()).map(r => r.id),
      tool(file, '--where', "type = 'FILE' OR id > 'p4'").trim().split('\n').map(l => JSON.parse(l).id))
    if (file === stac) {
      assert.deepEqual((await ds.query({ bbox: [-80, -20, 10, 45] }).rows()).map(r => r.id),
        tool(file, '--bbox=-80,-20,10,45').trim().split('\n').map(l => JSON.parse(l).id))
    }
    for (let table = 0; table < ds.info.levels.length; table++) {
      await ds.columns(table)
      assert.ok(await ds.query({ table, time: file === stac ? '2020' : undefined }).count() >= 0)
    }
    const [row] = await ds.query({ limit: 1 }).rows()
    await ds.read(row.id).rows()
    ds.close()
    assert.deepEqual(names, ['taco'], file)
  }
  const { names, wasm } = asking()
  const file = await openParquet(path.join(root, 'tests/data/bloom.parquet'), { wasm })
  assert.ok(await file.query().count() > 0)
  assert.deepEqual(names, ['taco-parquet'])
  file.close()
})

test('what the small module lacks is in the larger one, which goes on', async () => {
  // queries, and datasets that need it as soon as they are opened
  const queries = [
    [{ order: 'id DESC' }, '--order', 'id DESC'],
    [{ where: "id LIKE '%1'" }, '--where', "id LIKE '%1'"]
  ]
  for (const which of [simd, scalar]) {
    for (const [q, ...args] of queries) {
      const { names, wasm } = asking(which)
      const source = slow(stac)
      const ds = await open(source, { wasm, name: stac })
      assert.equal(await ds.query().count(), 10)
      const before = source.reads.length
      assert.deepEqual((await ds.query(q).rows()).map(r => r.id), tool(stac, ...args).trim().split('\n').map(l => JSON.parse(l).id))
      assert.deepEqual(names, ['taco', 'taco-full'])
      // what was read is not read again
      assert.ok(source.reads.length - before <= 1, `${source.reads.length - before} reads`)
      assert.equal(await ds.query(q).text('ndjson'), tool(stac, ...args))
      assert.equal(await ds.query().count(), 10)
      assert.deepEqual(names, ['taco', 'taco-full', 'taco-write'])
      ds.close()
      source.close()
    }
  }
  const folder = path.join(data, 'era_0130_folder')
  const avro = asking(scalar)
  const ds = await open(folder, { wasm: avro.wasm })
  assert.deepEqual(avro.names, ['taco', 'taco-full'])
  assert.equal(await ds.query().text('ndjson'), tool(folder))
  ds.close()
  const two = asking()
  const both = await open([stac, stac], { wasm: two.wasm })
  assert.deepEqual([two.names, await both.query().count()], [['taco', 'taco-full'], 20])
  both.close()
  const once = asking()
  const full = await open(stac, { full: true, wasm: once.wasm })
  assert.equal(await full.query({ order: 'id' }).count(), 10)
  assert.deepEqual(once.names, ['taco-full'])
  full.close()
  // text comes from the module that writes
  const other = await open(stac)
  assert.equal((await other.query({ where: "id = 'none'" }).text('csv')).trim(), native('query', stac, '--all', '--quiet', '--format', 'csv', '--where', "id = 'none'").out.toString().trim())
  await assert.rejects(other.query().text('csv', { wasm: new Uint8Array(8) }))
  other.close()
})

test('rows that are read go on while another query needs the larger module', async () => {
  const { names, wasm } = asking()
  const ds = await open(slow(stac), { wasm })
  const seen = []
  for await (const row of ds.query()) {
    seen.push(row.id)
    if (seen.length === 3) assert.equal(await ds.query({ order: 'id' }).count(), 10)
  }
  assert.deepEqual(seen, Array.from({ length: 10 }, (_, i) => `p${i}`))
  assert.deepEqual(names, ['taco', 'taco-full'])
  const all = await Promise.all([ds.query({ order: 'id' }).count(), ds.query({ where: "id LIKE 'p%'" }).count()])
  assert.deepEqual(all, [10, 10])
  assert.equal(names.length, 2)
  ds.close()
  // several at a time, of which all need it
  const again = asking()
  const other = await open(slow(stac), { wasm: again.wasm })
  assert.deepEqual(await Promise.all(['id', 'id DESC'].map(order => other.query({ order }).count())), [10, 10])
  assert.deepEqual(again.names, ['taco', 'taco-full'])
  other.close()
  await failsWith(other.query().count(), 'state', /closed/)
})

test('failures and warnings have their texts from the larger module', async () => {
  const { names, wasm } = asking()
  const ds = await open(stac, { wasm })
  await failsWith(ds.query({ where: 'id = AND' }).rows(), 'syntax', /at column 6: .*expected/)
  assert.deepEqual(names, ['taco', 'taco-full'])
  ds.close()
  // without it there is the kind of the failure, and why there is no more
  const alone = await open(stac, { wasm: await scalar('taco.wasm') })
  await failsWith(alone.query({ where: 'id = AND' }).rows(), 'syntax', /no larger one/)
  await failsWith(alone.query({ order: 'id' }).rows(), 'unsupported', /no larger one/)
  assert.equal(await alone.query().count(), 10)
  alone.close()
  const gone = await open(stac, { wasm: name => { if (/full/.test(name)) throw new Error('no network'); return scalar(name) } })
  await failsWith(gone.query({ order: 'id' }).rows(), 'unsupported', /larger module: no network/)
  assert.equal(await gone.query().count(), 10)
  gone.close()
  // a damaged TACO_HEADER is a warning
  const bytes = fs.readFileSync(stac)
  const at = 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28)
  bytes.fill(0xff, at, at + 8)
  for (const wants of [true, false]) {
    const heard = []
    const modules = asking()
    const repaired = await open(bytes, { name: 'damaged.tacozip', wasm: modules.wasm, ...(wants ? { onWarning: w => heard.push(w) } : {}) })
    assert.equal(await repaired.query().count(), 10)
    repaired.close()
    assert.equal(heard.length, wants ? 1 : 0)
    if (wants) assert.match(heard[0], /central directory/)
    assert.deepEqual(modules.names, ['taco', 'taco-full'])
  }
})

test('plain Parquet files', async () => {
  const name = path.join(root, 'tests/data/pages.parquet')
  const file = await openParquet(new Blob([fs.readFileSync(name)]))
  const want = native('parquet', 'cat', name, '--all', '--quiet').out.toString()
  assert.equal(await file.query().text('ndjson'), want)
  assert.equal(file.rows, want.trim().split('\n').length)
  const part = await file.query({ columns: [file.fields[0].name], offset: 2, rowCount: 3 }).columns()
  assert.deepEqual(Object.keys(part), [file.fields[0].name])
  assert.equal(part[file.fields[0].name].length, 3)
  await failsWith(file.query({ columns: ['none'] }).rows(), 'not found', /none/)
  await failsWith(openParquet(new Uint8Array(20)), 'corrupt', /\w/)
  file.close()
})

test('a sparse archive of 10 GB is opened with less than 50 MB', async () => {
  const big = path.join(temporary, 'sparse.tacozip')
  makeSparse(big, 10e9)
  const before = process.memoryUsage()
  for (const source of [big, slow(big)]) {
    const ds = await open(source, { name: 'sparse.tacozip' })
    assert.ok(await ds.query().count() > 0)
    const now = process.memoryUsage()
    assert.ok(ds.memory < 50e6 && now.rss - before.rss < 50e6 && now.arrayBuffers - before.arrayBuffers < 50e6,
      `module ${ds.memory}, resident ${now.rss - before.rss}, buffers ${now.arrayBuffers - before.arrayBuffers}`)
    ds.close()
  }
})

// Deno's program, of the package for this machine.
function deno () {
  const packages = path.join(root, 'bindings/browser/node_modules/@deno')
  return path.join(packages, fs.readdirSync(packages)[0], 'deno')
}

test('the same in Deno: a path, a URL, SQL, a worker', async () => {
  const module = new URL('../js/index.js', import.meta.url).href
  const script = path.join(temporary, 'deno.mjs')
  fs.writeFileSync(script, `import { open } from '${module}'
import { openParquet } from '${module.replace('index.js', 'parquet.js')}'
const [file, url, parquet] = Deno.args
for (const source of [file, url, new Blob([await Deno.readFile(file)])]) {
  const ds = await open(source)
  console.log(await ds.query({ where: "id > 'p4'" }).count(), (await (await ds.payload('p0')).bytes()).length)
  ds.close()
}
const ds = await open(file, { sql: true })
console.log(await ds.query('SELECT max(id) AS id FROM data').text('ndjson'))
console.log((await (await open(file)).query({ order: 'id DESC', limit: 1 }).text('csv')).split('\\n')[1].split(',')[0])
console.log((await openParquet(parquet)).rows)
console.log(await open('none.tacozip').catch(e => e.code))
const code = \`import { open } from '${module}'
onmessage = async e => { postMessage(await (await open(e.data)).query().count()) }\`
const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), { type: 'module' })
worker.postMessage(await Deno.readFile(file))
worker.onmessage = e => { console.log(e.data); worker.terminate() }
`)
  const there = await serve(data)
  // its errors, too, so that they are seen
  const child = spawn(deno(), ['run', '-A', script, stac, `${there.url}/geo_stac.tacozip`, path.join(root, 'tests/data/bloom.parquet')])
  let text = ''
  for (const out of [child.stdout, child.stderr]) out.on('data', d => { text += d })
  await new Promise(resolve => child.on('close', resolve))
  await there.close()
  assert.equal(text, '5 552\n5 552\n5 552\n{"id":"p9"}\n\np9\n6000\nnot found\n10\n')
})

test('in a worker thread', async () => {
  const worker = new Worker(`
    const { parentPort, workerData } = require('node:worker_threads')
    import(workerData.module).then(async ({ open }) => {
      const ds = await open(workerData.bytes)
      parentPort.postMessage(await ds.query({ where: "id > 'p4'" }).count())
    })`, { eval: true, workerData: { module: new URL('../js/index.js', import.meta.url).href, bytes: fs.readFileSync(stac) } })
  assert.equal(await new Promise((resolve, reject) => worker.on('message', resolve).on('error', reject)), 5)
  await worker.terminate()
})
