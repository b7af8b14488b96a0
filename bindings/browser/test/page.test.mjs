// page.test.mjs - the explorer in Chromium, as a person uses it; answers beside those of build/taco and GDAL.
// Screenshots go to build/ci/browser. CHROMIUM names another browser.
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { tableFromIPC } from 'apache-arrow'
import { chromium } from 'playwright-core'
import { open } from '../js/index.js'
import { openParquet } from '../js/parquet.js'
import { data, makeSparse, native, root, run, serve, taco } from './common.mjs'

const dist = path.join(root, 'bindings/browser/dist')
const shots = path.join(root, 'build/ci/browser')
const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'taco-page-'))
const file = path.join(data, 'geo_stac.tacozip')
const nested = path.join(data, 'nested.tacozip')
const axe = fs.readFileSync(path.join(root, 'bindings/browser/node_modules/axe-core/axe.min.js'), 'utf8')
let browser, page, site, failures

before(async () => {
  fs.mkdirSync(shots, { recursive: true })
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
  site = await serve(dist)
})
after(async () => {
  await browser?.close()
  await site?.close()
  fs.rmSync(temporary, { recursive: true })
})

// A page of its own for each test; what goes wrong in its script fails it.
async function fresh (url = `${site.url}/index.html`, options = {}) {
  await page?.context().close()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options })
  page = await context.newPage()
  page.setDefaultTimeout(20000)
  failures = []
  page.on('pageerror', e => failures.push(e.stack))
  await page.goto(url)
}

const count = async () => {
  await page.waitForFunction(() => /row/.test(document.getElementById('count').textContent))
  return page.textContent('#count')
}
const ids = () => page.$$eval('#table .row', rows => rows
  .sort((a, b) => a.getAttribute('aria-rowindex') - b.getAttribute('aria-rowindex')).map(r => r.firstChild.textContent))
const settled = () => page.waitForFunction(() => document.querySelectorAll('#table .row').length > 0 &&
  ![...document.querySelectorAll('#table .row')].some(r => r.textContent.includes('…')))
const problem = async () => {
  await page.waitForSelector('#problem:not([hidden])')
  return page.textContent('#problem')
}
const choose = f => page.setInputFiles('#file', f)

// Waits for the answer to a query: `expected` is what the tool says.
async function answers (expected) {
  await page.waitForFunction(n => document.getElementById('count').textContent.startsWith(`${n} row`), expected.length)
  if (expected.length) {
    let got = [] // those in view; the last query's may have been as many
    for (let i = 0; i < 100 && !(got.length && got.every((id, k) => id === expected[k])); i++) {
      if (i) await page.waitForTimeout(50)
      await settled()
      got = await ids()
    }
    assert.deepEqual(got, expected.slice(0, got.length))
    assert.ok(got.length === expected.length || got.length > 15, `${got.length} rows of ${expected.length}`)
  }
  assert.deepEqual(failures, [])
}

const native_ids = (dataset, ...filters) => native('query', dataset, '--all', '--quiet', '--format', 'ndjson', ...filters)
  .out.toString().trim().split('\n').filter(Boolean).map(l => JSON.parse(l).id)

async function fill (values) {
  for (const [id, value] of Object.entries({ where: '', from: '', to: '', bbox: '', ...values })) await page.fill(`#${id}`, value)
  await page.click('text=Apply')
}

// Drops a file as a person does.
async function drop (f) {
  const bytes = fs.readFileSync(f).toString('base64')
  await page.evaluate(([name, base64]) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([Uint8Array.from(atob(base64), c => c.charCodeAt(0))], name))
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
  }, [path.basename(f), bytes])
}

// Nothing sticks out of the page to the side, nothing is over something else, and no text is cut that has no other place.
const layout = () => page.evaluate(() => {
  const isSeen = e => e.checkVisibility() && e.getClientRects().length > 0
  const all = selector => [...document.querySelectorAll(selector)].filter(isSeen)
  const name = e => `${e.outerHTML.slice(0, 60)} (${e.textContent.trim().slice(0, 30)})`
  const overlaps = list => {
    const over = []
    const boxes = list.map(e => ({ e, b: e.getBoundingClientRect() }))
    for (const [i, x] of boxes.entries()) {
      for (const y of boxes.slice(i + 1)) {
        if (x.e.contains(y.e) || y.e.contains(x.e)) continue
        const w = Math.min(x.b.right, y.b.right) - Math.max(x.b.left, y.b.left)
        const h = Math.min(x.b.bottom, y.b.bottom) - Math.max(x.b.top, y.b.top)
        if (w > 1 && h > 1) over.push(`${name(x.e)} over ${name(y.e)}`)
      }
    }
    return over
  }
  const outside = e => {
    const b = e.getBoundingClientRect()
    return b.left < -1 || b.right > innerWidth + 1
  }
  const controls = all('button, input:not(.hidden), textarea, select, summary, .button, output')
    .filter(e => !e.closest('.leaflet-container, details > div'))
  const texts = all('h1, h2, p:not(.hidden), dt, dd, label:not(.hidden), pre, td, button, summary, output, #mistake')
    .filter(e => !e.closest('#table, .leaflet-container'))
  // a placeholder takes as much room as a value
  const hints = all('input[placeholder]').filter(e => {
    if (e.value) return e.id === 'bbox' && e.scrollWidth > e.clientWidth + 1
    e.value = e.placeholder
    const isCut = e.scrollWidth > e.clientWidth + 1
    e.value = ''
    return isCut
  })
  return {
    wide: document.documentElement.scrollWidth - innerWidth,
    over: [...overlaps(controls), ...overlaps(all('header, #problem, #welcome, #facts, #query, #rows, #place, #sample'))],
    cut: [...texts.filter(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline'), ...hints,
      ...all('input[type=date]').filter(e => e.clientWidth < 100)].map(name),
    outside: [...texts, ...controls, ...all('details[open] > div')].filter(outside).map(name)
  }
})

// What axe-core finds that keeps people from using the page: names, roles, contrast, order, keys.
const access = async () => {
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(axe)
  return page.evaluate(async () => (await window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }))
    .violations.flatMap(v => v.nodes.map(n => `${v.id}: ${n.html.slice(0, 120)}: ${n.failureSummary.replace(/\s+/g, ' ')}`)))
}

// The page as it is now, on a desk and on a phone, light and dark: a screenshot of each, layout and access checked.
async function looks (name) {
  const size = page.viewportSize()
  for (const [width, height] of [[1280, 900], [390, 844]]) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100)))))
      const shot = `${name}-${width}-${colorScheme}`
      await page.screenshot({ path: path.join(shots, `${shot}.png`), fullPage: true })
      const { wide, ...found } = await layout()
      assert.ok(wide <= 0, `${shot}: ${wide} pixels too wide`)
      assert.deepEqual(found, { over: [], cut: [], outside: [] }, shot)
      assert.deepEqual(await access(), [], shot)
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(size)
}

// Bounds [west, south, east, north] of GeoJSON.
function bounds (geometry) {
  const out = [Infinity, Infinity, -Infinity, -Infinity]
  const walk = c => {
    if (typeof c[0] !== 'number') return c.forEach(walk)
    for (const k of [0, 1]) [out[k], out[k + 2]] = [Math.min(out[k], c[k]), Math.max(out[k + 2], c[k])]
  }
  for (const g of geometry.geometries ?? [geometry]) walk(g.coordinates)
  return out
}

// The footprints on the map are those of the rows that are expected, as the tool has them: points, or `geojson`.
async function footprints (dataset, filters, geojson = false) {
  const text = native('query', dataset, '--all', '--quiet', '--format', geojson ? 'geojson' : 'ndjson', ...filters).out.toString()
  const want = geojson
    ? JSON.parse(text).features.map(f => bounds(f.geometry))
    : text.trim().split('\n').filter(Boolean).map(l => Buffer.from(JSON.parse(l)['stac:centroid'], 'hex'))
      .map(b => [b.readDoubleLE(5), b.readDoubleLE(13)]).map(p => [...p, ...p])
  await page.waitForFunction(n => document.body.dataset.shapes === String(n), want.length)
  const got = await page.evaluate(() => [...window.explorer.map.byIndex].sort((a, b) => a[0] - b[0]).map(([, layer]) => {
    const b = layer.getBounds()
    return [b.getWest(), b.getSouth(), b.getEast(), b.getNorth()]
  }))
  assert.deepEqual(got, want)
  return want.length
}

test('a dropped file: rows, filters by SQL, predicate, box and time, footprints', async () => {
  await fresh()
  await looks('welcome')
  await drop(file)
  await answers(native_ids(file))
  assert.match(await page.textContent('#facts'), /geo-stac.*CC-BY-4\.0.*Fixture maker/s)
  assert.equal(await footprints(file, []), 10)
  await fill({ where: "id > 'p6'" })
  await answers(native_ids(file, '--where', "id > 'p6'"))
  await footprints(file, ['--where', "id > 'p6'"])
  const box = '--bbox=-80,-20,10,45'
  await fill({ bbox: '-80, -20, 10, 45' })
  await answers(native_ids(file, box))
  const n = await footprints(file, [box])
  assert.ok(n > 0 && n < 10)
  const time = ['--time', '2020-01-01/2022-12-31']
  await fill({ from: '2020-01-01', to: '2022-12-31' })
  await answers(native_ids(file, ...time))
  await footprints(file, time)
  await fill({ where: "id < 'p8'", bbox: '-80, -20, 10, 45', from: '2020-01-01', to: '2022-12-31' })
  await answers(native_ids(file, '--where', "id < 'p8'", box, ...time))
  await fill({ bbox: '100, 80, 101, 81' })
  await answers([])
  await page.waitForFunction(() => document.body.dataset.shapes === '0')
  const sql = "SELECT id, \"stac:crs\", \"stac:centroid\" FROM data WHERE id < 'p3' ORDER BY id DESC"
  await fill({ where: sql })
  await answers(native_ids(file, '--sql', sql))
  await footprints(file, ['--sql', sql])
  const groups = 'SELECT "stac:crs" AS id, count(*) AS n, avg("internal:size") AS mean FROM data GROUP BY ALL ORDER BY id'
  await fill({ where: groups })
  const lines = native('query', file, '--sql', groups, '--all', '--quiet', '--format', 'ndjson').out.toString().trim().split('\n').map(l => JSON.parse(l))
  await page.waitForFunction(k => document.getElementById('count').textContent.startsWith(`${k} row`), lines.length)
  await settled()
  assert.deepEqual(await page.$$eval('#table .row', rows => rows.map(r => [...r.children].map(c => c.textContent))),
    lines.map(l => Object.values(l).map(String)))
  await looks('select')
  const istac = path.join(data, 'geo_istac.tacozip')
  await choose(istac)
  await answers(native_ids(istac))
  await footprints(istac, ['--where', '"istac:geometry" IS NOT NULL'], true)
})

test('facts about a dataset', async () => {
  await fresh()
  await choose(file)
  await answers(native_ids(file))
  const facts = () => page.$$eval('#facts dl > div', list => Object.fromEntries(list.map(d => [...d.children].map(c => c.textContent))))
  const info = JSON.parse(native('info', file, '--json', '--quiet').out)
  const got = await facts()
  assert.equal(await page.textContent('#facts h2'), info.title ?? info.id)
  assert.equal(got.Licence, info.licenses.join(', '))
  assert.equal(got.Tasks, info.tasks.join(', '))
  assert.equal(got.Samples, '10')
  assert.equal(got.Size, `${(fs.statSync(file).size / 1000).toFixed(1)} kB`)
  assert.deepEqual(got.Extent.split(', ').map(Number), info.extent.spatial.map(x => Math.round(x * 1000) / 1000))
  assert.equal(got.Time, info.extent.temporal.map(t => t.slice(0, 10)).join(' to '))
  await choose(nested)
  await answers(native_ids(nested))
  assert.equal((await facts()).Levels, '2')
  // a dataset with all there may be
  const collection = path.join(temporary, 'collection.json')
  fs.mkdirSync(path.join(temporary, 'samples'), { recursive: true })
  fs.writeFileSync(path.join(temporary, 'samples/a'), 'text')
  fs.writeFileSync(collection, JSON.stringify({
    id: 'all-facts', dataset_version: '2.1.0', title: 'A title', description: 'What it is about.', licenses: ['CC0-1.0', 'MIT'],
    providers: [{ name: 'The provider', roles: ['producer'] }], curators: [{ name: 'The curator' }], tasks: ['regression', 'segmentation'],
    keywords: ['one', 'two'], publications: [{ doi: '10.1/x', citation: 'A. Author (2024): A paper.', summary: null }]
  }))
  run(taco, 'create', path.join(temporary, 'samples'), path.join(temporary, 'facts.tacozip'), '--collection', collection, '--quiet')
  await choose(path.join(temporary, 'facts.tacozip'))
  await answers(['a'])
  const more = await facts()
  assert.equal(await page.textContent('#facts h2'), 'A title')
  assert.match(await page.textContent('#facts'), /What it is about\./)
  assert.deepEqual([more.Id, more.Version, more.Licence, more.Tasks, more.Citation, more.Providers, more.Curators, more.Keywords],
    ['all-facts', '2.1.0', 'CC0-1.0, MIT', 'regression, segmentation', 'A. Author (2024): A paper.', 'The provider', 'The curator', 'one, two'])
})

test('a mistake is marked where it is', async () => {
  await fresh()
  await choose(file)
  await count()
  await fill({ where: 'id = AND' })
  await page.waitForSelector('#mistake:not([hidden])')
  const want = native('query', file, '--where', 'id = AND').error
  const text = await page.textContent('#mistake')
  assert.ok(text.includes(want.replace(/^.*?where: /, '')), `${text}\n${want}`)
  assert.match(text, /\n {5}\^\^\^\n/)
  assert.equal(await page.getAttribute('#where', 'aria-invalid'), 'true')
  await looks('mistake')
  await fill({ where: "id = 'a' AND cloudy < 3" })
  await page.waitForFunction(() => /\n {13}\^{6}\n.*no column 'cloudy'/.test(document.getElementById('mistake').textContent))
  await fill({ where: 'SELECT id, nothing(id) FROM data' })
  await page.waitForFunction(() => /\n {11}\^{7,9}\n.*nothing/.test(document.getElementById('mistake').textContent))
  await fill({ bbox: '1, 2, 3' })
  await page.waitForFunction(() => /four numbers/.test(document.getElementById('problem').textContent))
  assert.equal(await page.isHidden('#mistake'), true)
  await fill({})
  await answers(native_ids(file))
  assert.equal(await page.isHidden('#problem'), true)
})

// [[values of band 1, ...] of each pixel] that GDAL reads at [[x, y], ...].
function pixels (vsi, points) {
  const lines = execFileSync('gdallocationinfo', ['-valonly', vsi], { input: points.map(p => p.join(' ')).join('\n') + '\n', encoding: 'utf8', maxBuffer: 1 << 28 })
  const values = lines.split('\n').filter(Boolean).map(Number)
  const bands = values.length / points.length
  return points.map((_, i) => values.slice(i * bands, (i + 1) * bands))
}
const vsiOf = (dataset, id, ...more) => JSON.parse(native('query', dataset, '--where', `id = '${id}'`, '--limit', '1', '--select', 'internal:gdal_vsi',
  '--format', 'ndjson', '--quiet', ...more).out)['internal:gdal_vsi']

test('a picture has the pixels that GDAL reads; bands and stretch are chosen', async () => {
  await fresh()
  await choose(file)
  await answers(native_ids(file))
  await page.click('#table .row:has-text("p1")')
  await page.waitForSelector('#picture[data-ready]')
  const { width, height, bands, values } = await page.evaluate(async () => {
    const p = window.explorer.picture
    const all = await p.read(Array.from({ length: p.bands }, (_, i) => i))
    return { width: p.width, height: p.height, bands: p.bands, values: all.map(b => [...b]) }
  })
  const points = Array.from({ length: width * height }, (_, i) => [i % width, Math.floor(i / width)])
  const want = pixels(vsiOf(file, 'p1'), points)
  assert.equal(want[0].length, bands)
  assert.deepEqual(points.map((_, i) => values.map(b => b[i])), want)
  // what is drawn
  const drawn = () => page.evaluate(() => {
    const c = document.getElementById('picture')
    return [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data]
  })
  const stretched = (band, kind) => {
    const v = want.map(p => p[band])
    const sorted = [...v].sort((a, b) => a - b)
    const at = share => sorted[Math.round(share * (sorted.length - 1))]
    const [low, high] = { none: [0, 255], minmax: [at(0), at(1)], percent: [at(0.02), at(0.98)] }[kind]
    return v.map(x => Math.min(255, Math.max(0, high > low ? 255 * (x - low) / (high - low) : 128)))
  }
  const check = async (chosen, kind) => {
    const got = await drawn()
    const columns = chosen.map(b => stretched(b, kind))
    points.forEach((p, i) => {
      for (let c = 0; c < 3; c++) {
        const expected = columns[columns.length === 1 ? 0 : c][i]
        assert.ok(Math.abs(got[4 * i + c] - expected) <= 0.51, `${kind} ${chosen}, pixel ${p}, ${c}: ${got[4 * i + c]}, ${expected} expected`)
      }
    })
  }
  const first = bands >= 3 ? [0, 1, 2] : [0]
  await check(first, 'percent')
  for (const kind of ['minmax', 'none']) {
    await page.selectOption('select[aria-label="stretch"]', kind)
    await check(first, kind)
  }
  await looks('picture')
  // the middle of the pixel in column 5, row 3
  const b = await page.locator('#picture').boundingBox()
  await page.mouse.click(b.x + b.width * 5.5 / width, b.y + b.height * 3.5 / height)
  await page.waitForFunction(text => document.getElementById('sample').textContent.includes(text), `at 5, 3: ${want[3 * width + 5].join(', ')}`)
  assert.deepEqual(failures, [])
})

// An archive with one image of 3000 x 2000 pixels, four bands and overviews.
function makeLarge () {
  const dir = path.join(temporary, 'large')
  const out = path.join(temporary, 'large.tacozip')
  if (fs.existsSync(out)) return out
  fs.mkdirSync(path.join(dir, 'in'), { recursive: true })
  const small = path.join(dir, 'small.tif')
  fs.writeFileSync(path.join(dir, 'small.asc'), `ncols 60\nnrows 40\nxllcorner 0\nyllcorner 0\ncellsize 1\n${
    Array.from({ length: 40 }, (_, y) => Array.from({ length: 60 }, (_, x) => (x * 37 + y * 91) % 250).join(' ')).join('\n')}\n`)
  run('gdal_translate', '-q', '-ot', 'UInt16', ...[1, 1, 1, 1].flatMap(b => ['-b', String(b)]), '-scale_2', '0', '250', '250', '0', '-scale_3', '0', '250', '0', '5000',
    path.join(dir, 'small.asc'), small)
  run('gdal_translate', '-q', '-of', 'COG', '-co', 'COMPRESS=DEFLATE', '-co', 'BLOCKSIZE=256', '-co', 'OVERVIEW_RESAMPLING=NEAREST', '-outsize', '3000', '2000', '-r', 'cubic',
    small, path.join(dir, 'in/large.tif'))
  fs.writeFileSync(path.join(dir, 'c.json'), JSON.stringify({
    id: 'large', dataset_version: '1', description: 'one large image', licenses: ['CC0-1.0'], tasks: ['other'], providers: [{ name: 'x', roles: ['producer'] }]
  }))
  run(taco, 'create', path.join(dir, 'in'), out, '--collection', path.join(dir, 'c.json'), '--quiet')
  return out
}

test('a large picture is read from its overview, and from the bytes of its sample alone', async () => {
  const large = makeLarge()
  const [row] = native('query', large, '--all', '--quiet', '--format', 'ndjson').out.toString().trim().split('\n').map(l => JSON.parse(l))
  const there = await serve(temporary, { cors: true })
  await fresh(`${site.url}/index.html#url=${encodeURIComponent(`${there.url}/large.tacozip`)}`)
  await answers([row.id])
  const before = there.log.length
  await page.click('#table .row >> nth=0')
  await page.waitForSelector('#picture[data-ready="0,1,2"]')
  const [begin, end] = [row['internal:offset'], row['internal:offset'] + row['internal:size']]
  const reads = there.log.slice(before)
  assert.ok(reads.length > 0 && reads.every(r => r.status === 206 && r.begin >= begin && r.begin + r.bytes <= end), JSON.stringify(reads))
  const bytes = reads.reduce((n, r) => n + r.bytes, 0)
  assert.ok(bytes < 0.25 * (end - begin), `${bytes} of ${end - begin} bytes`)
  // the overview that GDAL has for this size
  const { width, height, values } = await page.evaluate(async () => {
    const p = window.explorer.picture
    return { width: p.width, height: p.height, values: (await p.read([0, 3])).map(b => [...b]) }
  })
  assert.deepEqual([width, height], [512, 341])
  const raw = path.join(temporary, 'overview.raw') // of bands 1 and 4
  run('gdal_translate', '-q', '-of', 'ENVI', '-co', 'INTERLEAVE=BSQ', '-oo', 'OVERVIEW_LEVEL=1', '-b', '1', '-b', '4', row['internal:gdal_vsi'], raw)
  const overview = new Uint16Array(new Uint8Array(fs.readFileSync(raw)).buffer)
  assert.equal(overview.length, 2 * 750 * 500)
  let differ = 0
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [Math.round(i % width * 750 / width), Math.round(Math.floor(i / width) * 500 / height)]
    for (const b of [0, 1]) differ += values[b][i] !== overview[b * 750 * 500 + Math.min(y, 499) * 750 + Math.min(x, 749)] ? 1 : 0
  }
  assert.equal(differ, 0, `${differ} of ${2 * width * height} pixels differ`)
  // a click reads the pixel of the image itself
  const b = await page.locator('#picture').boundingBox()
  await page.mouse.click(b.x + b.width * 0.4, b.y + b.height * 0.3)
  await page.waitForFunction(() => /^at \d+, \d+: /.test(document.querySelector('#sample .hint').textContent))
  const [, x, y, list] = /^at (\d+), (\d+): (.*)$/.exec(await page.textContent('#sample .hint'))
  assert.ok(Math.abs(x - 1200) < 10 && Math.abs(y - 600) < 10)
  assert.deepEqual(list.split(', ').map(Number), pixels(row['internal:gdal_vsi'], [[x, y]])[0])
  await there.close()
  assert.deepEqual(failures, [])
})

const get = async click => {
  const [download] = await Promise.all([page.waitForEvent('download'), click()])
  return fs.readFileSync(await download.path())
}

// The rows of the page in every format are those of the tool, whose paths name `dataset` where the page's have `name`.
async function downloads (dataset, name, filters) {
  const printed = format => native('query', dataset, ...filters, '--format', format, '--all', '--quiet').out.toString().replaceAll(dataset, name)
  const save = async format => {
    await page.click('#save summary')
    return get(() => page.click(`[data-format=${format}]`))
  }
  const lines = printed('ndjson')
  for (const format of ['csv', 'ndjson']) assert.equal((await save(format)).toString(), printed(format), format)
  const parquet = await openParquet(await save('parquet'))
  assert.equal(await parquet.query().text('ndjson'), lines)
  parquet.close()
  const rows = lines.trim().split('\n').map(l => JSON.parse(l))
  const arrow = tableFromIPC(await save('arrow'))
  for (const column of ['id', 'internal:gdal_vsi', 'stac:crs']) assert.deepEqual([...arrow.getChild(column)], rows.map(r => r[column]))
  const json = JSON.parse(await save('geojson'))
  assert.equal(json.type, 'FeatureCollection')
  assert.deepEqual(json.features.map(f => f.properties), rows.map(({ 'stac:centroid': _, ...rest }) => rest))
  assert.deepEqual(json.features.map(f => [f.type, f.geometry.type, ...f.geometry.coordinates]), rows.map(r => {
    const b = Buffer.from(r['stac:centroid'], 'hex')
    return ['Feature', 'Point', b.readDoubleLE(5), b.readDoubleLE(13)]
  }))
}

// Copies with the button of that name, and returns what is on the clipboard.
async function copied (what) {
  await page.click(`button[data-copy="${what}"]`)
  await page.waitForSelector(`button[data-copy="${what}"].copied`)
  return page.evaluate(() => navigator.clipboard.readText())
}

// A C program that was copied, compiled and run in the directory of the examples: what it prints.
async function compiled (text, ...flags) {
  const c = path.join(temporary, 'copied.c')
  fs.writeFileSync(c, text)
  run('cc', '-std=c99', '-w', '-I', root, '-I', path.join(root, 'extra'), c, '-o', path.join(temporary, 'copied'), '-lm', ...flags)
  // this process goes on, as it may be the server
  return (await promisify(execFile)(path.join(temporary, 'copied'), { cwd: data })).stdout.trim()
}

const withGdal = () => run('pkg-config', '--cflags', '--libs', 'gdal').trim().split(/\s+/)

test('a path and snippets are copied, and run; rows and payload are downloaded', async () => {
  await fresh(`${site.url}/index.html`, { permissions: ['clipboard-read', 'clipboard-write'] })
  await choose(file)
  await answers(native_ids(file))
  await page.click('#table .row:has-text("p0")')
  await page.waitForSelector('#picture[data-ready]')
  const vsi = await copied('VSI path')
  assert.equal(vsi, vsiOf(file, 'p0').replace(file, 'geo_stac.tacozip'))
  const shown = execFileSync('sh', ['-c', await copied('gdalinfo')], { cwd: data, encoding: 'utf8' })
  assert.match(shown, /^Driver: GTiff.*Size is \d+, \d+/s)
  const python = await copied('Python')
  assert.ok(python.includes(`rasterio.open(${JSON.stringify(vsi)})`))
  execFileSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input: python })
  assert.equal(await compiled(await copied('C')), vsiOf(file, 'p0'))
  const payload = await get(() => page.click('text=/^Download \\(/'))
  assert.ok(payload.equals(fs.readFileSync(file).subarray(194, 194 + 552)))
  await fill({ where: "id > 'p4'" })
  await answers(native_ids(file, '--where', "id > 'p4'"))
  await downloads(file, 'geo_stac.tacozip', ['--where', "id > 'p4'"])
  await page.click('#columns summary')
  await looks('columns')
  await page.keyboard.press('Escape')
  await page.click('#save summary')
  await looks('save')
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('details[open]').count(), 0)
  // samples of lower levels: in the tree by their path, in the table of a level with GDAL
  await choose(nested)
  await answers(native_ids(nested))
  await page.click('#table .row >> nth=0')
  await page.click('text=Open folder')
  await page.click('#table .row:has-text("image")')
  await page.waitForSelector('#picture[data-ready]')
  const below = await copied('VSI path')
  assert.equal(await compiled(await copied('C')), below.replace('nested.tacozip', nested))
  await page.click('[role=tab] >> nth=1')
  await answers(native_ids(nested, '--table', 'level1'))
  await page.click('#table .row:has-text("image") >> nth=0')
  await page.waitForSelector('#picture[data-ready]')
  assert.match(await compiled(await copied('C'), ...withGdal()), /^\d+ x \d+, \d+ bands$/)
})

test('over HTTP with ranges: filters, a picture, a path, downloads; the meter', async () => {
  const there = await serve(data, { cors: true })
  const url = `${there.url}/geo_stac.tacozip`
  await fresh(`${site.url}/index.html`, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.fill('#url', url)
  await page.click('#open button')
  await answers(native_ids(file))
  await footprints(file, [])
  assert.ok(there.log.length <= 4, `${there.log.length} requests`)
  await fill({ bbox: '-80, -20, 10, 45' })
  await answers(native_ids(file, '--bbox=-80,-20,10,45'))
  await fill({ from: '2020-01-01', to: '2022-12-31' })
  await answers(native_ids(file, '--time', '2020-01-01/2022-12-31'))
  const sql = "SELECT id, \"stac:crs\" FROM data WHERE id < 'p3' ORDER BY id DESC"
  await fill({ where: sql })
  await answers(native_ids(file, '--sql', sql))
  await fill({ where: "id > 'p6'" })
  await answers(native_ids(file, '--where', "id > 'p6'"))
  await footprints(file, ['--where', "id > 'p6'"])
  await page.click('#table .row:has-text("p8")')
  await page.waitForSelector('#picture[data-ready]')
  const got = await page.evaluate(async () => {
    const p = window.explorer.picture
    return (await p.read(Array.from({ length: p.bands }, (_, i) => i))).map(b => b[3 * p.width + 5])
  })
  assert.deepEqual(got, pixels(vsiOf(file, 'p8'), [[5, 3]])[0])
  const vsi = await copied('VSI path')
  assert.equal(vsi, vsiOf(file, 'p8').replace(file, `/vsicurl/${url}`))
  assert.equal(await compiled(await copied('C'), ...withGdal()), vsi)
  await downloads(file, `/vsicurl/${url}`, ['--where', "id > 'p6'"])
  await there.close()
  assert.deepEqual(failures, [])
})

test('the meter has the requests and bytes of the server', async () => {
  const there = await serve(data, { cors: true })
  await fresh(`${site.url}/index.html#url=${encodeURIComponent(`${there.url}/geo_nested.tacozip`)}`)
  await answers(native_ids(path.join(data, 'geo_nested.tacozip')))
  await page.click('[role=tab] >> nth=2')
  await answers(native_ids(path.join(data, 'geo_nested.tacozip'), '--table', 'level2'))
  await page.click('#table .row >> nth=0')
  await page.waitForFunction(() => /Download \(\d/.test(document.getElementById('sample').textContent))
  await page.waitForFunction(n => document.getElementById('meter').textContent.startsWith(`${n} request`), there.log.length)
  const bytes = there.log.reduce((n, r) => n + r.bytes, 0)
  assert.ok(there.log.every(r => r.status === 206))
  assert.equal(await page.textContent('#meter'), `${there.log.length} requests, ${(bytes / 1000).toFixed(1)} kB`)
  await there.close()
})

test('the URL holds the state', async () => {
  const there = await serve(data, { cors: true })
  const start = name => fresh(`${site.url}/index.html#url=${encodeURIComponent(`${there.url}/${name}`)}`)
  const values = () => page.evaluate(() => ['where', 'from', 'to', 'bbox'].map(id => document.getElementById(id).value))
  await start('geo_stac.tacozip')
  await answers(native_ids(file))
  const wanted = { where: "id > 'p1'", from: '2019-01-01', to: '2023-12-31', bbox: '-80, -20, 60, 60' }
  const ids = native_ids(file, '--where', wanted.where, '--bbox=-80,-20,60,60', '--time', '2019-01-01/2023-12-31')
  assert.ok(ids.length > 1 && ids.length < 10)
  await fill(wanted)
  await answers(ids)
  await page.click(`#table .row:has-text("${ids.at(-1)}")`)
  await page.waitForSelector('#picture[data-ready]')
  const filtered = page.url()
  await fresh('about:blank')
  await page.goto(filtered)
  await answers(ids)
  assert.deepEqual(await values(), [wanted.where, wanted.from, wanted.to, wanted.bbox])
  await page.waitForFunction(id => document.querySelector('#sample h2')?.textContent === id, ids.at(-1))
  // another view of the dataset that is open
  await page.evaluate(() => { location.hash = location.hash.replace(/&where=.*/, '&where=' + encodeURIComponent("id = 'p3'")) })
  await answers(['p3'])
  assert.deepEqual(await values(), ["id = 'p3'", '', '', ''])
  // a level, and a place in the tree
  await start('nested.tacozip')
  await answers(native_ids(nested))
  await page.click('[role=tab] >> nth=1')
  await answers(native_ids(nested, '--table', 'level1'))
  const level = page.url()
  await page.click('[role=tab] >> nth=0')
  await answers(native_ids(nested))
  const [folder] = native_ids(nested)
  await page.click('#table .row >> nth=0')
  await page.click('text=Open folder')
  await answers(['image', 'label', 'note'])
  const tree = page.url()
  await fresh('about:blank')
  await page.goto(level)
  await answers(native_ids(nested, '--table', 'level1'))
  assert.equal(await page.getAttribute('[role=tab] >> nth=1', 'aria-selected'), 'true')
  await page.goto(tree)
  await answers(['image', 'label', 'note'])
  assert.equal(await page.textContent('#path'), `all${folder}`)
  await looks('tree')
  await there.close()
})

test('servers that cannot be read from say so', async () => {
  await fresh()
  const open = async url => {
    await page.fill('#url', url)
    await page.click('#open button')
    return problem()
  }
  const whole = await serve(data, { cors: true, ranges: false })
  assert.match(await open(`${whole.url}/geo_stac.tacozip`), /does not answer range requests.*Download the file and open it from disk/)
  await looks('no-ranges')
  await whole.close()
  const closed = await serve(data)
  assert.match(await open(`${closed.url}/geo_stac.tacozip`), /does not allow pages of other sites.*Access-Control-Allow-Origin/)
  await closed.close()
  const mute = await serve(data, { cors: 'least', length: false })
  assert.match(await open(`${mute.url}/geo_stac.tacozip`), /does not tell the size.*Access-Control-Expose-Headers/)
  await mute.close()
  const there = await serve(data, { cors: true })
  assert.match(await open(`${there.url}/none.tacozip`), /no such file on the server \(status 404\)/)
  await there.close()
  const down = await serve(data, { cors: true, status: 503 })
  assert.match(await open(`${down.url}/geo_stac.tacozip`), /answered 503/)
  await down.close()
  assert.match(await open('http://127.0.0.1:9/x.tacozip'), /could not be fetched\. Either the server cannot be reached/)
  // one that tells the length, but not in Content-Range, does
  const least = await serve(data, { cors: 'least' })
  await page.fill('#url', `${least.url}/geo_stac.tacozip`)
  await page.click('#open button')
  await answers(native_ids(file))
  await least.close()
})

test('files that are damaged, or no datasets', async () => {
  await fresh()
  const bytes = fs.readFileSync(file)
  const write = (name, b) => { fs.writeFileSync(path.join(temporary, name), b); return path.join(temporary, name) }
  const said = async (name, b, pattern) => {
    await choose(write(name, b))
    await page.waitForFunction(n => document.getElementById('problem').textContent.startsWith(n), name)
    assert.match(await problem(), pattern)
  }
  await said('cut.tacozip', bytes.subarray(0, bytes.length - 2000), /shorter than it says: was it downloaded completely\?$/)
  await said('photo.jpg', Buffer.from([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3, 4]), /not a ZIP archive.*not of this format/)
  await said('text.tacozip', 'id,cloud\n1,2\n', /not a ZIP archive.*not of this format/)
  await said('empty.tacozip', '', /the file is empty/)
  await said('other.zip', execFileSync('python3', ['-c',
    'import sys, zipfile; z = zipfile.ZipFile(sys.stdout.buffer, "w"); z.writestr("a.txt", "text"); z.close()']), /the first entry is 'a\.txt', a TACO archive begins with TACO_HEADER.*not of this format/)
  const broken = Buffer.from(bytes)
  const level = broken.indexOf('PAR1') // the pages of the first column follow
  broken.fill(0x5A, level + 4, level + 200)
  await said('broken.tacozip', broken, /broken\.tacozip: .*at byte \d+: .*The file is damaged/)
  await looks('damaged')
  await choose(file)
  await answers(native_ids(file))
  assert.equal(await page.isHidden('#problem'), true)
  // the bytes of a sample: the rest can be read
  const spoilt = Buffer.from(bytes)
  spoilt.fill(0x5A, 194, 194 + 552)
  await choose(write('spoilt.tacozip', spoilt))
  await answers(native_ids(file))
  await page.click('#table .row:has-text("p0")')
  await page.waitForFunction(() => /No preview|cannot be shown|ZZZZ/.test(document.getElementById('sample').textContent))
})

test('levels, folders and the tree; Parquet files', async () => {
  await fresh()
  await choose(nested)
  await answers(native_ids(nested))
  await page.click('[role=tab] >> nth=1')
  await answers(native_ids(nested, '--table', 'level1'))
  await fill({ where: "id = 'label'" })
  await answers(native_ids(nested, '--table', 'level1', '--level', '1', '--where', "id = 'label'"))
  await page.click('[role=tab] >> nth=0')
  await page.click('#clear')
  await answers(native_ids(nested))
  await page.click('#table .row >> nth=0')
  await page.click('text=Open folder')
  await page.waitForSelector('#path button >> nth=1')
  await answers(['image', 'label', 'note'])
  await page.click('#table .row:has-text("note")')
  await page.waitForSelector('#sample pre')
  await page.click('#path button >> nth=0')
  await answers(native_ids(nested))
  // a column more, and one less
  await page.click('#columns summary')
  await page.click('#columns label:has-text("internal:size")')
  await page.click('#columns label:has-text("type") >> nth=0')
  await page.keyboard.press('Escape')
  const names = await page.$$eval('#table .head > *', cells => cells.map(c => c.textContent))
  assert.ok(names.includes('internal:size') && !names.includes('type'), names.join())
  await choose(path.join(root, 'tests/data/bloom.parquet'))
  await page.waitForFunction(() => document.getElementById('count').textContent === '6,000 rows')
  await fill({ where: 'id >= 5990' })
  const want = native('parquet', 'cat', path.join(root, 'tests/data/bloom.parquet'), '--where', 'id >= 5990', '--all', '--quiet')
  await page.waitForFunction(n => document.getElementById('count').textContent.replaceAll(',', '').startsWith(`${n} rows`),
    want.out.toString().trim().split('\n').length)
  assert.deepEqual(failures, [])
})

test('opened from a folder, without a network', async () => {
  const asked = []
  await fresh('about:blank')
  page.on('request', r => asked.push(r.url()))
  await page.context().setOffline(true)
  await page.goto(pathToFileURL(path.join(dist, 'index.html')).href)
  await choose(file)
  await answers(native_ids(file))
  await footprints(file, [])
  await page.click('#table .row:has-text("p1")')
  await page.waitForSelector('#picture[data-ready]')
  await fill({ where: "SELECT * FROM data WHERE id > 'p4'" })
  await answers(native_ids(file, '--where', "id > 'p4'"))
  await fill({ where: "id > 'p4'" })
  await answers(native_ids(file, '--where', "id > 'p4'"))
  await downloads(file, 'geo_stac.tacozip', ['--where', "id > 'p4'"])
  assert.ok(asked.length > 2 && asked.every(u => /^(file|blob|data):/.test(u)), asked.filter(u => !/^(file|blob|data):/.test(u)).join())
  assert.deepEqual(failures, [])
})

test('a million rows', async () => {
  await fresh()
  await choose(file)
  await answers(native_ids(file))
  await fill({ where: 'SELECT range AS n, range * 2 AS twice FROM range(1000000)' })
  await million(/^9999991999998$/)
  await page.evaluate(() => { const t = document.getElementById('table'); t.scrollTop = t.scrollHeight / 2 })
  await page.waitForFunction(() => document.querySelectorAll('#table .row').length &&
    [...document.querySelectorAll('#table .row')].every(r => Number(r.firstChild.textContent) < 9e5))
  await settled()
  const middle = Number((await ids())[0])
  assert.ok(Math.abs(middle - 500000) < 1000, `row ${middle} in the middle`)
  await page.hover('#table')
  await page.mouse.wheel(0, 280)
  await page.waitForFunction(m => [...document.querySelectorAll('#table .row')].some(r => Number(r.firstChild.textContent) === m + 25), middle)
  // of a file, of which only the pages in view are read
  const ds = await open(file, { sql: true })
  const all = await ds.query('SELECT range AS n, range * 7919 % 1000003 AS a, sqrt(range * 7919 % 1000003) AS b FROM range(1000000)').parquet()
  ds.close()
  const there = await serve(temporary, { cors: true })
  fs.writeFileSync(path.join(temporary, 'million.parquet'), all)
  await page.fill('#url', `${there.url}/million.parquet`)
  await page.click('#open button')
  await page.waitForFunction(() => document.querySelector('#facts h2').textContent.includes('million'))
  await million(/^999999\d+/)
  const bytes = there.log.reduce((n, r) => n + r.bytes, 0)
  assert.ok(bytes < 0.1 * all.length, `${bytes} of ${all.length} bytes`)
  await there.close()
  assert.deepEqual(failures, [])
})

// The table has a million rows, of which the first is 0 and the text of the last is this one, and elements for those in view alone.
async function million (last) {
  await page.waitForFunction(() => document.getElementById('count').textContent === '1,000,000 rows')
  await settled()
  assert.equal((await ids())[0], '0')
  await page.focus('#table')
  await page.keyboard.press('End')
  await page.waitForFunction(last => [...document.querySelectorAll('#table .row')].some(r => new RegExp(last).test(r.textContent)), last.source)
  assert.ok(await page.locator('#table .row').count() < 100)
  assert.equal(await page.getAttribute('#table', 'aria-rowcount'), '1000001')
}

const chosen = id => page.waitForFunction(id => document.querySelector('#sample h2')?.textContent === id, id)

// Memory of the process that draws the page, and its modules.
const resident = async () => {
  const cdp = await browser.newBrowserCDPSession()
  const pids = (await cdp.send('SystemInfo.getProcessInfo')).processInfo.filter(p => p.type === 'renderer').map(p => p.id)
  await cdp.detach()
  return pids.map(p => 1024 * /^VmRSS:\s*(\d+) kB/m.exec(fs.readFileSync(`/proc/${p}/status`, 'latin1'))[1]).reduce((a, b) => a + b)
}

test('a File of 10 GB takes less than 50 MB', async () => {
  const big = path.join(temporary, 'sparse.tacozip')
  makeSparse(big, 10e9)
  await fresh()
  await choose(file)
  await answers(native_ids(file))
  const before = await resident()
  await choose(big)
  await page.waitForFunction(() => /10\.00 GB/.test(document.body.textContent))
  await answers(native_ids(big))
  const more = await resident() - before
  assert.ok(more < 50e6, `${more} bytes`)
  fs.rmSync(big)
})

test('a box drawn on the map; the map and the table are linked', async () => {
  await fresh()
  await choose(file)
  await answers(native_ids(file))
  await footprints(file, [])
  // from the table to the map
  await page.click('#table .row:has-text("p4")')
  await chosen('p4')
  const marked = i => page.evaluate(i => {
    const { map } = window.explorer
    const [shape] = map.byIndex.get(i).getLayers()
    return [map.picked === map.byIndex.get(i), shape.options.weight]
  }, i)
  assert.deepEqual(await marked(4), [true, 3])
  // from the map to the table: a footprint that no other is near of
  const place = await page.evaluate(() => {
    const { map } = window.explorer
    const at = [...map.byIndex].map(([i, layer]) => [i, map.map.latLngToContainerPoint(layer.getBounds().getCenter())])
    const box = map.map.getSize()
    const free = at.find(([i, p]) => i !== 4 && p.x > 60 && p.x < box.x - 10 && p.y > 10 && p.y < box.y - 10 &&
      at.every(([j, q]) => i === j || p.distanceTo(q) > 15))
    return [free[0], free[1].x, free[1].y]
  })
  const b = await page.locator('#map').boundingBox()
  await page.mouse.click(b.x + place[1], b.y + place[2])
  await chosen(`p${place[0]}`)
  assert.equal(await page.getAttribute(`#row${place[0]}`, 'aria-selected'), 'true')
  assert.deepEqual(await marked(place[0]), [true, 3])
  assert.deepEqual((await marked(4)), [false, 1])
  // the box
  await page.click('#draw')
  await page.mouse.move(b.x + b.width * 0.25, b.y + b.height * 0.1)
  await page.mouse.down()
  await page.mouse.move(b.x + b.width * 0.6, b.y + b.height * 0.9, { steps: 4 })
  await page.mouse.up()
  await page.waitForFunction(() => document.getElementById('bbox').value !== '')
  const box = (await page.inputValue('#bbox')).replaceAll(' ', '')
  await answers(native_ids(file, `--bbox=${box}`))
  assert.deepEqual(await page.evaluate(() => {
    const b = window.explorer.map.rectangle.getBounds()
    return [b.getWest(), b.getSouth(), b.getEast(), b.getNorth()]
  }), box.split(',').map(Number))
  await looks('box')
  await page.click('#clear')
  await answers(native_ids(file))
  assert.equal(await page.evaluate(() => window.explorer.map.rectangle), null)
  assert.deepEqual(failures, [])
})

test('on a phone: a box drawn with a finger', async () => {
  await fresh(`${site.url}/index.html`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await choose(file)
  await answers(native_ids(file))
  await page.tap('#draw')
  await page.locator('#map').scrollIntoViewIfNeeded()
  const b = await page.locator('#map').boundingBox()
  const cdp = await page.context().newCDPSession(page)
  const touch = (type, ...points) => cdp.send('Input.dispatchTouchEvent', {
    type, touchPoints: points.map(([x, y]) => ({ x: b.x + b.width * x, y: b.y + b.height * y }))
  })
  await touch('touchStart', [0.2, 0.2])
  await touch('touchMove', [0.4, 0.4])
  await touch('touchMove', [0.6, 0.8])
  await touch('touchEnd')
  await page.waitForFunction(() => document.getElementById('bbox').value !== '')
  const box = (await page.inputValue('#bbox')).replaceAll(' ', '')
  const want = native_ids(file, `--bbox=${box}`)
  await page.waitForFunction(n => document.getElementById('count').textContent.startsWith(`${n} row`), want.length)
  await page.click('#clear')
  await answers(native_ids(file))
  await page.click('#table .row:has-text("p2")')
  await chosen('p2')
  assert.deepEqual(failures, [])
})

test('with the keyboard alone', async () => {
  await fresh(`${site.url}/index.html`, { permissions: ['clipboard-read', 'clipboard-write'] })
  // presses Tab until an element has the focus, which has to be visible
  const to = async selector => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab')
      const found = await page.evaluate(selector => {
        const e = document.activeElement
        if (!e.matches(selector)) return null
        const shown = e.matches('.hidden') ? e.nextElementSibling : e
        return getComputedStyle(shown).outlineStyle !== 'none' || getComputedStyle(shown).boxShadow !== 'none'
      }, selector)
      if (found !== null) return assert.ok(found, `${selector}: the focus is not to be seen`)
    }
    assert.fail(`${selector} is not reached`)
  }
  const chooser = page.waitForEvent('filechooser') // takes a moment until it is heard
  await to('#folder')
  await page.keyboard.press('Shift+Tab')
  assert.equal(await page.evaluate(() => document.activeElement.id), 'file')
  await page.keyboard.press('Space')
  await (await chooser).setFiles(nested)
  await answers(native_ids(nested))
  await to('[role=tab]')
  await page.keyboard.press('ArrowRight')
  await answers(native_ids(nested, '--table', 'level1'))
  await page.keyboard.press('ArrowLeft')
  await answers(native_ids(nested))
  await to('#where')
  await page.keyboard.type("type = 'FOLDER'")
  await page.keyboard.press('Enter')
  await answers(native_ids(nested, '--where', "type = 'FOLDER'"))
  await to('#columns summary')
  await page.keyboard.press('Enter')
  await to('#columns input')
  await page.keyboard.press('Escape')
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Columns')
  await to('#table')
  await page.keyboard.press('ArrowDown')
  await chosen(native_ids(nested)[0])
  assert.equal(await page.getAttribute('#table', 'aria-activedescendant'), 'row0')
  await page.keyboard.press('Enter') // into the folder
  await answers(['image', 'label', 'note'])
  await page.focus('#table')
  await page.keyboard.press('End')
  await chosen('note')
  await page.keyboard.press('Home')
  await chosen('image')
  await page.waitForSelector('#picture[data-ready]')
  assert.match(await page.textContent('[role=status]#said'), /Picture: \d+ x \d+ pixels/)
  await to('button[data-copy="VSI path"]')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.getElementById('said').textContent === 'VSI path copied')
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^\/vsisubfile\/\d+_\d+,nested\.tacozip$/)
  await to('select[aria-label="stretch"]')
  assert.deepEqual(failures, [])
})

test('the ES module in a worker of a page: a File is read there, the page goes on', async () => {
  const there = await serve(path.join(root, 'bindings/browser'))
  await fresh('about:blank')
  await page.goto(`${there.url}/dist/index.html`)
  const answer = await page.evaluate(async ({ module, bytes }) => {
    const code = `import { open } from '${module}'
      onmessage = async e => {
        try {
          const ds = await open(e.data)
          postMessage([await ds.query({ where: "id > 'p4'" }).count(), (await (await ds.payload('p0')).blob()).size, ds.meter.requests])
        } catch (x) { postMessage(x.stack) }
      }`
    const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), { type: 'module' })
    worker.postMessage(new File([Uint8Array.from(bytes)], 'x.tacozip'))
    return new Promise(resolve => { worker.onmessage = e => resolve(e.data); worker.onerror = e => resolve(e.message) })
  }, { module: `${there.url}/js/index.js`, bytes: [...fs.readFileSync(file)] })
  assert.deepEqual(answer, [5, 552, 0])
  await there.close()
})

test('a catalogue chosen with its archives', async () => {
  await fresh()
  const dir = path.join(data, 'tacocat_binary')
  await choose(fs.readdirSync(dir).map(f => path.join(dir, f)).filter(f => fs.statSync(f).isFile()))
  await answers(native_ids(dir))
  await page.click('#table .row >> nth=0')
  await page.waitForSelector('button[data-copy="VSI path"]')
  await page.waitForFunction(() => /Download \(\d/.test(document.getElementById('sample').textContent) || document.querySelector('#sample .main'))
  assert.equal(await page.isHidden('#problem'), true, await page.textContent('#problem'))
})

test('a FOLDER chosen, and dropped', async () => {
  const dir = path.join(data, 'nested_folder')
  await fresh(pathToFileURL(path.join(dist, 'index.html')).href)
  await page.setInputFiles('#folder', dir)
  await answers(native_ids(dir))
  await page.click('[role=tab] >> nth=1')
  await answers(native_ids(dir, '--table', 'level1'))
  await page.click('#table .row >> nth=0')
  await page.waitForFunction(() => /Download \(\d/.test(document.getElementById('sample').textContent))
  await fresh()
  const cdp = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop']) {
    await cdp.send('Input.dispatchDragEvent', { type, x: 500, y: 400, data: { items: [], files: [dir], dragOperationsMask: 1 } })
  }
  await answers(native_ids(dir))
  await looks('folder')
})

test('make serve: the page and the files of a directory, with ranges', async () => {
  const server = spawn('node', [path.join(root, 'bindings/browser/explorer/serve.mjs'), dist, data, '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await new Promise(resolve => server.stdout.on('data', text => resolve(/^(http:\S+)\//.exec(text)[1])))
    await fresh(`${url}/#url=/data/geo_stac.tacozip`, { permissions: ['clipboard-read', 'clipboard-write'] })
    await answers(native_ids(file))
    await page.click('#table .row:has-text("p0")')
    await page.waitForSelector('#picture[data-ready]')
    assert.equal(await copied('VSI path'), vsiOf(file, 'p0').replace(file, `/vsicurl/${url}/data/geo_stac.tacozip`))
    const part = await fetch(`${url}/data/tacocat_binary/__TACOCAT__`, { headers: { Range: 'bytes=0-3' } })
    assert.deepEqual([part.status, (await part.arrayBuffer()).byteLength], [206, 4])
    assert.equal((await fetch(`${url}/data/none.tacozip`)).status, 404)
  } finally {
    server.kill()
  }
})
