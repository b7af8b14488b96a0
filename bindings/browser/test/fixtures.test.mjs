// fixtures.test.mjs - every dataset and Parquet file there is, through the module and through build/taco: the same rows
// or the same failure. Damaged files are an error, never a trap or a hang.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { open } from '../js/index.js'
import { openParquet } from '../js/parquet.js'
import { data, native, root, scalar, shared, simd, slow } from './common.mjs'

const limit = 30000 // ms a file

function files (dir, matches) {
  if (!fs.existsSync(dir)) return []
  return fs.readdirSync(dir).sort().map(f => path.join(dir, f)).filter(matches)
}

const isDirectory = f => fs.statSync(f).isDirectory()
const has = (dir, name) => fs.existsSync(path.join(dir, name))

// Archives, FOLDERs and TACOCATs in a directory and those below it.
function datasetsIn (dir) {
  return files(dir, f => true).flatMap(f => {
    if (!isDirectory(f)) return f.endsWith('.tacozip') || path.basename(f) === '__TACOCAT__' ? [f] : []
    if (has(f, 'COLLECTION.json')) return [f]
    return has(f, '.tacocat') || path.basename(path.dirname(f)) === 'bad' ? [f, ...datasetsIn(f)] : datasetsIn(f)
  })
}

const datasets = [data, path.join(shared, 'fixtures')].flatMap(datasetsIn)
const parquets = [path.join(root, 'tests/data'), path.join(shared, 'corpora/parquet/files'), path.join(shared, 'corpora/bad/parquet')]
  .flatMap(d => files(d, f => /parquet/.test(f) && !isDirectory(f) && !/\.(json|md|txt|csv)$/.test(f)))

// Rows of one level as NDJSON: {out, error}.
async function rowsOf (source, table, options) {
  let ds
  try {
    ds = await open(source, options)
    return { out: Buffer.from(await ds.query({ table }).text('ndjson')), error: null, levels: ds.info.levels.length, info: ds.info }
  } catch (e) {
    assert.notEqual(e.code, 'internal', e.message)
    assert.ok(e.code, `no failure of ours: ${e.stack}`)
    return { out: null, error: e.message, levels: 0 }
  } finally {
    ds?.close()
  }
}

function same (got, want, name) {
  // what else is in a directory is what only the tool can see
  if (/: a directory without/.test(want.error)) want.error = got.error && want.error && got.error
  assert.equal(got.error, want.error, name)
  if (!want.error) assert.ok(got.out.equals(want.out), `${name}: other rows than build/taco's`)
}

test('datasets as the native library reads them', async t => {
  assert.ok(datasets.length >= 10, `${datasets.length} datasets`)
  let levels = 0
  let errors = 0
  let whole = 0
  const larger = [] // those that the small module cannot open and read
  for (const file of datasets) {
    await t.test(path.relative(root, file), { timeout: limit }, async () => {
      let n = 1
      for (let table = 0; table < n; table++) {
        const want = native('query', file, '--format', 'ndjson', '--all', '--quiet', '--table', `level${table}`)
        const asked = []
        const got = await rowsOf(file, table, { wasm: name => { asked.push(name); return scalar(name) } })
        if (!got.error && table === 0) {
          whole++
          if (asked.some(name => name.startsWith('taco-full'))) larger.push(file)
        }
        n = got.levels || n
        if (got.info) assert.deepEqual(got.info, JSON.parse(native('info', file, '--json', '--quiet').out), 'info')
        if (/codec brotli$/.test(got.error)) return // the tool has a decoder, the module has none
        same(got, want, `level${table}`)
        levels++
        errors += got.error ? 1 : 0
        // the same bytes, none of which is there at once, as in a page
        if (!isDirectory(file) && path.basename(file) !== '__TACOCAT__') {
          const source = slow(file)
          const again = await rowsOf(source, table, { name: file, wasm: simd, full: true })
          source.close()
          same(again, want, `level${table}, fetched`)
        }
      }
    })
  }
  t.diagnostic(`${datasets.length} datasets, ${levels} levels, ${errors} with an error`)
  t.diagnostic(`level 0 of ${whole} is read, of ${larger.length} by the larger module: ${larger.map(f => path.basename(f)).join(' ')}`)
  assert.ok(larger.length <= 0.1 * whole)
})

test('Parquet files as the native library reads them', async t => {
  let brotli = 0
  for (const file of parquets) {
    await t.test(path.relative(root, file), { timeout: limit }, async () => {
      const want = native('parquet', 'cat', file, '--all', '--quiet')
      for (const options of [{ wasm: scalar }, { wasm: simd, full: true }]) {
        let got
        let f
        try {
          f = await openParquet(file, options)
          got = { out: Buffer.from(await f.query({}).text('ndjson')), error: null }
        } catch (e) {
          assert.notEqual(e.code, 'internal', e.message)
          assert.ok(e.code, `no failure of ours: ${e.stack}`)
          got = { out: null, error: e.message }
          if (/codec brotli$/.test(e.message)) { brotli++; return }
        } finally {
          f?.close()
        }
        same(got, want, file)
      }
    })
  }
  t.diagnostic(`${parquets.length} files, ${brotli} of them Brotli`)
})
