// page.test.mjs - the explorer in Chromium, as a person uses it; answers beside those of build/taco and GDAL.
// Screenshots go to build/ci/browser. CHROMIUM names another browser.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { openParquet } from '../js/parquet.js'
import { data, native, root, run, serve } from './common.mjs'

const dist = path.join(root, 'bindings/browser/dist')
const shots = path.join(root, 'build/ci/browser')
const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'taco-page-'))
const file = path.join(data, 'geo_stac.tacozip')
const nested = path.join(data, 'nested.tacozip')
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
    await settled()
    assert.deepEqual(await ids(), expected)
  }
  assert.deepEqual(failures, [])
}

const native_ids = (dataset, ...filters) => native('query', dataset, '--all', '--quiet', '--select', 'id', '--format', 'ndjson', ...filters)
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

// Nothing sticks out of the page to the side, and no two controls are over each other.
async function checkLayout (name) {
  await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage: true })
  const found = await page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - innerWidth
    const boxes = [...document.querySelectorAll('button, input:not(.hidden), textarea, select, summary, .button, output')]
      .filter(e => e.checkVisibility?.() && e.getClientRects().length && !e.closest('.leaflet-container, details > div'))
      .map(e => ({ e, b: e.getBoundingClientRect() }))
    const over = []
    for (const x of boxes) {
      for (const y of boxes) {
        if (x === y || x.e.contains(y.e) || y.e.contains(x.e)) continue
        const w = Math.min(x.b.right, y.b.right) - Math.max(x.b.left, y.b.left)
        const h = Math.min(x.b.bottom, y.b.bottom) - Math.max(x.b.top, y.b.top)
        if (w > 1 && h > 1) over.push(`${x.e.outerHTML.slice(0, 60)} over ${y.e.outerHTML.slice(0, 60)}`)
      }
    }
    const cut = boxes.filter(({ e }) => e.matches('button, summary') && e.scrollWidth > e.clientWidth + 1).map(({ e }) => e.textContent)
    return { wide, over, cut }
  })
  assert.ok(found.wide <= 0, `${name}: ${found.wide} pixels too wide`)
  assert.deepEqual(found.over, [], name)
  assert.deepEqual(found.cut, [], name)
}

test('a dropped file: rows, filters by SQL, predicate, box and time', async () => {
  await fresh()
  await checkLayout('welcome-1280')
  await drop(file)
  await answers(native_ids(file))
  assert.match(await page.textContent('#facts'), /geo-stac.*CC-BY-4\.0.*Fixture maker/s)
  await page.waitForFunction(() => document.body.dataset.shapes === '10')
  await fill({ where: "id > 'p6'" })
  await answers(native_ids(file, '--where', "id > 'p6'"))
  await fill({ bbox: '-80, -20, 10, 45' })
  await answers(native_ids(file, '--bbox=-80,-20,10,45'))
  const n = native_ids(file, '--bbox=-80,-20,10,45').length
  await page.waitForFunction(k => document.body.dataset.shapes === String(k), n)
  await fill({ from: '2020-01-01', to: '2022-12-31' })
  await answers(native_ids(file, '--time', '2020-01-01/2022-12-31'))
  await fill({ where: "SELECT id, \"stac:crs\" FROM data WHERE id < 'p3' ORDER BY id DESC" })
  await answers(['p2', 'p1', 'p0'])
  await checkLayout('filtered-1280')
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
  assert.match(text, /\n {5}\^/)
  await fill({ where: 'cloudy < 3' })
  await page.waitForFunction(() => /no column 'cloudy'/.test(document.getElementById('mistake').textContent))
  await checkLayout('mistake-1280')
})

test('a picture has the pixels that GDAL reads', async () => {
  await fresh()
  await choose(file)
  await answers(native_ids(file))
  await page.click('#table .row:has-text("p1")')
  await page.waitForSelector('#picture[data-ready]')
  const vsi = JSON.parse(native('query', file, '--where', "id = 'p1'", '--select', 'internal:gdal_vsi', '--format', 'ndjson').out)['internal:gdal_vsi']
  const points = [[0, 0], [5, 3], [15, 11], [7, 8]]
  const got = await page.evaluate(async points => {
    const p = window.explorer.picture
    const bands = await p.read(Array.from({ length: p.bands }, (_, i) => i))
    return points.map(([x, y]) => bands.map(b => b[y * p.width + x]))
  }, points)
  points.forEach(([x, y], i) => {
    const want = run('gdallocationinfo', '-valonly', vsi, String(x), String(y)).trim().split('\n').map(Number)
    assert.deepEqual(got[i], want, `pixel ${x}, ${y}`)
  })
  assert.deepEqual(failures, [])
  await checkLayout('picture-1280')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.waitForTimeout(300)
  await checkLayout('picture-390')
})

test('a path is copied; rows and payload are downloaded', async () => {
  await fresh(`${site.url}/index.html`, { permissions: ['clipboard-read', 'clipboard-write'] })
  await choose(file)
  await answers(native_ids(file))
  await page.click('#table .row:has-text("p0")')
  await page.click('button[data-copy="VSI path"]')
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '/vsisubfile/194_552,geo_stac.tacozip')
  await page.waitForSelector('#picture[data-ready]')
  const get = async click => {
    const [download] = await Promise.all([page.waitForEvent('download'), click()])
    return fs.readFileSync(await download.path())
  }
  const payload = await get(() => page.click('text=/^Download \\(/'))
  assert.ok(payload.equals(fs.readFileSync(file).subarray(194, 194 + 552)))
  await fill({ where: "id > 'p4'" })
  await answers(native_ids(file, '--where', "id > 'p4'"))
  for (const format of ['csv', 'ndjson']) {
    await page.click('#save summary')
    const rows = await get(() => page.click(`[data-format=${format}]`))
    const want = native('query', 'geo_stac.tacozip', '--where', "id > 'p4'", '--format', format, '--all', '--quiet')
    const local = native('query', file, '--where', "id > 'p4'", '--format', format, '--all', '--quiet')
    assert.equal(want.error !== null, true)
    assert.equal(rows.toString(), local.out.toString().replaceAll(file, 'geo_stac.tacozip'))
  }
  await page.click('#save summary')
  const saved = await openParquet(await get(() => page.click('[data-format=parquet]')))
  const rows = native('query', file, '--where', "id > 'p4'", '--format', 'ndjson', '--all', '--quiet')
  assert.equal(await saved.query().text('ndjson'), rows.out.toString().replaceAll(file, 'geo_stac.tacozip'))
  saved.close()
  await page.click('#save summary')
  const json = JSON.parse(await get(() => page.click('[data-format=geojson]')))
  assert.equal(json.features.length, 5)
  assert.equal(json.features[0].geometry.type, 'Point')
})

test('over HTTP with ranges; the URL holds the state', async () => {
  const there = await serve(data, { cors: true })
  await fresh()
  await page.fill('#url', `${there.url}/geo_stac.tacozip`)
  await page.click('#open button')
  await answers(native_ids(file))
  assert.ok(there.log.length <= 4, `${there.log.length} requests`)
  assert.ok(there.log.every(r => r.status === 206))
  await fill({ where: "id > 'p6'" })
  await answers(native_ids(file, '--where', "id > 'p6'"))
  await page.click('#table .row:has-text("p8")')
  await page.waitForSelector('#picture[data-ready]')
  const shared = page.url()
  assert.match(await page.textContent('#meter'), /^\d+ requests?, \d/)
  await fresh('about:blank')
  await page.goto(shared)
  await answers(native_ids(file, '--where', "id > 'p6'"))
  await page.waitForFunction(() => document.querySelector('#sample h2')?.textContent === 'p8')
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
  assert.match(await open(`${whole.url}/geo_stac.tacozip`), /does not answer range requests/)
  await checkLayout('no-ranges-1280')
  await whole.close()
  const closed = await serve(data)
  assert.match(await open(`${closed.url}/geo_stac.tacozip`), /Access-Control-Allow-Origin/)
  await closed.close()
  const there = await serve(data, { cors: true })
  assert.match(await open(`${there.url}/none.tacozip`), /no such file|404/)
  await there.close()
  assert.match(await open('http://127.0.0.1:9/x.tacozip'), /could not be fetched/)
})

test('files that are damaged, or no datasets', async () => {
  await fresh()
  const bytes = fs.readFileSync(file)
  const write = (name, b) => { fs.writeFileSync(path.join(temporary, name), b); return path.join(temporary, name) }
  await choose(write('cut.tacozip', bytes.subarray(0, bytes.length - 2000)))
  assert.match(await problem(), /cut\.tacozip: .*Was it downloaded completely|cut\.tacozip: .*damaged|cut\.tacozip: /)
  await choose(write('photo.jpg', Buffer.from([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3, 4])))
  await page.waitForFunction(() => /photo\.jpg: .*not a ZIP archive/.test(document.getElementById('problem').textContent))
  await choose(write('empty.tacozip', ''))
  await page.waitForFunction(() => /empty\.tacozip/.test(document.getElementById('problem').textContent))
  const broken = Buffer.from(bytes)
  const level = broken.lastIndexOf('PAR1', broken.length - 3000)
  broken.fill(0x5A, level > 4000 ? level - 3000 : 3000, level > 4000 ? level - 2500 : 3500)
  await choose(write('broken.tacozip', broken))
  await page.waitForFunction(() => /broken\.tacozip/.test(document.getElementById('problem').textContent))
  await choose(file)
  await answers(native_ids(file))
  assert.equal(await page.isHidden('#problem'), true)
})

test('levels, folders and the tree; Parquet files; opened from a folder', async () => {
  await fresh()
  await choose(nested)
  await answers(native_ids(nested))
  await page.click('[role=tab] >> nth=1')
  await answers(native_ids(nested, '--table', 'level1'))
  await page.click('[role=tab] >> nth=0')
  await answers(native_ids(nested))
  await page.click('#table .row >> nth=0')
  await page.click('text=Open folder')
  await page.waitForSelector('#path button >> nth=1')
  await settled()
  assert.ok((await ids()).length > 0)
  await choose(path.join(root, 'tests/data/bloom.parquet'))
  await page.waitForFunction(() => document.getElementById('count').textContent === '6,000 rows')
  await fill({ where: 'id >= 5990' })
  const want = native('parquet', 'cat', path.join(root, 'tests/data/bloom.parquet'), '--where', 'id >= 5990', '--all', '--quiet')
  await page.waitForFunction(n => document.getElementById('count').textContent.replaceAll(',', '').startsWith(`${n} rows`),
    want.out.toString().trim().split('\n').length)
  assert.deepEqual(failures, [])
  await fresh(pathToFileURL(path.join(dist, 'index.html')).href)
  await choose(file)
  await answers(native_ids(file))
})

test('a million rows', async () => {
  await fresh()
  await choose(file)
  await answers(native_ids(file))
  await fill({ where: 'SELECT range AS n, range * 2 AS twice FROM range(1000000)' })
  await page.waitForFunction(() => document.getElementById('count').textContent === '1,000,000 rows')
  await settled()
  assert.equal((await ids())[0], '0')
  await page.focus('#table')
  await page.keyboard.press('End')
  await page.waitForFunction(() => [...document.querySelectorAll('#table .row')].some(r => r.textContent === '9999991999998'))
  assert.ok(await page.locator('#table .row').count() < 100)
  await page.evaluate(() => { const t = document.getElementById('table'); t.scrollTop = t.scrollHeight / 2 })
  await page.waitForFunction(() => document.querySelectorAll('#table .row').length &&
    [...document.querySelectorAll('#table .row')].every(r => Number(r.firstChild.textContent) < 9e5))
  await settled()
  const middle = Number((await ids())[0])
  assert.ok(Math.abs(middle - 500000) < 1000, `row ${middle} in the middle`)
  await page.hover('#table')
  await page.mouse.wheel(0, 280)
  await page.waitForFunction(m => [...document.querySelectorAll('#table .row')].some(r => Number(r.firstChild.textContent) === m + 25), middle)
  assert.deepEqual(failures, [])
})

test('a box drawn on the map; the map and the table are linked; keys', async () => {
  await fresh()
  await choose(file)
  await answers(native_ids(file))
  await page.waitForFunction(() => document.body.dataset.shapes === '10')
  await page.click('#draw')
  const b = await page.locator('#map').boundingBox()
  await page.mouse.move(b.x + b.width * 0.25, b.y + b.height * 0.1)
  await page.mouse.down()
  await page.mouse.move(b.x + b.width * 0.6, b.y + b.height * 0.9, { steps: 4 })
  await page.mouse.up()
  await page.waitForFunction(() => document.getElementById('bbox').value !== '')
  const box = (await page.inputValue('#bbox')).replaceAll(' ', '')
  await answers(native_ids(file, `--bbox=${box}`))
  await page.click('#clear')
  await answers(native_ids(file))
  await page.focus('#table')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.waitForFunction(() => document.querySelector('#sample h2')?.textContent === 'p9')
  assert.equal(await page.getAttribute('#table', 'aria-activedescendant'), 'row9')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.waitForTimeout(300)
  await checkLayout('whole-390')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.waitForTimeout(300)
  await checkLayout('dark-1280')
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
  await page.setViewportSize({ width: 390, height: 844 })
  await page.waitForTimeout(300)
  await checkLayout('folder-390')
})
