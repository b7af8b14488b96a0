// main.js - the explorer page: a dataset, its rows, their footprints on a map, and a picture of a sample.
//
// The state is in the URL after '#': url, table, where, from, to, bbox, path, sample and its row. A view can be shared if the
// dataset has a URL.
import { open, TacoError } from '../js/index.js'
import { openParquet } from '../js/parquet.js'
import module from '../wasm/taco-sql.wasm'
import moduleSimd from '../wasm/taco-sql-simd.wasm'
import { hasSimd } from '../js/module.js'
import { GeoMap } from './map.js'
import { Picture, kindOf } from './picture.js'
import { snippets } from './snippets.js'
import { Table, show } from './table.js'
import { toGeoJson } from './wkb.js'

const wasm = hasSimd() ? moduleSimd : module
const $ = id => document.getElementById(id)
const SHAPES = 20000 // most footprints on the map

const state = { ds: null, name: '', url: '', table: 0, path: '', result: null, work: new AbortController() }

// ---- helpers ----

const el = (tag, props = {}, ...children) => {
  const e = Object.assign(document.createElement(tag), props)
  e.append(...children)
  return e
}
const size = n => n < 1000 ? `${n} B` : n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : n < 1e9 ? `${(n / 1e6).toFixed(1)} MB` : `${(n / 1e9).toFixed(2)} GB`
const count = n => Number(n).toLocaleString('en')
const quoted = name => `"${name.replaceAll('"', '""')}"`
const isSelect = text => /^\s*(select|with|values)\b/i.test(text)

function problem (e) {
  if (e?.name === 'AbortError') return
  $('problem').textContent = e ? explain(e) : ''
  $('problem').hidden = !e
  if (e && !(e instanceof TacoError)) console.error(e)
}

// The library's message, with a hint at what may be wrong with the file.
function explain (e) {
  if (!(e instanceof TacoError)) return `This did not work: ${e.message}`
  const hint = {
    truncated: 'The file is shorter than it says: was it downloaded completely?',
    corrupt: 'The file is damaged, or not of this format.',
    checksum: 'The file is damaged: a checksum differs.',
    unsupported: ''
  }[e.code]
  return hint ? `${e.message}. ${hint}` : e.message
}

// Tells readers of the screen what changed beside the table.
const announce = text => { $('said').textContent = text }

function meter () {
  const m = state.ds?.meter ?? { requests: 0, bytes: 0 }
  $('meter').textContent = `${count(m.requests)} request${m.requests === 1 ? '' : 's'}, ${size(m.bytes)}`
}

// ---- opening ----

async function openSource (source, name, wanted = {}) {
  state.work.abort()
  state.work = new AbortController()
  problem(null)
  document.body.setAttribute('aria-busy', 'true')
  try {
    const ds = await openAny(source, name)
    state.ds?.close()
    Object.assign(state, { ds, name, url: typeof source === 'string' ? source : '', table: 0, path: '', bytes: bytesOf(source, ds) })
  } catch (e) {
    return problem(e)
  } finally {
    document.body.removeAttribute('aria-busy')
  }
  $('welcome').hidden = true
  $('dataset').hidden = false
  $('url').value = state.url
  state.hidden = null
  facts()
  await view(wanted)
}

// Shows what the text after # in a URL says of the dataset that is open.
async function view (wanted) {
  for (const id of ['where', 'from', 'to', 'bbox']) $(id).value = wanted[id] ?? ''
  state.table = Math.min(Number(wanted.table) || 0, state.ds.info.levels.length - 1)
  state.path = wanted.path ?? ''
  levels()
  await query({ fit: true })
  if (wanted.sample) await pickId(wanted.sample, Number(wanted.row))
}

// Opens a dataset; a plain Parquet file is wrapped to look like a dataset with one level.
async function openAny (source, name) {
  const options = { wasm, sql: true, name, onProgress: () => meter() }
  if (source.isDirectory) return open(source, { ...options, resolve: n => source.files.get(n) ?? null })
  const sources = Array.isArray(source) ? source : [source]
  if (sources.length > 1) {
    const byName = new Map(sources.map(f => [f.name, f]))
    const catalogue = sources.find(f => f.name === '__TACOCAT__')
    if (catalogue) return open(catalogue, { ...options, name: '__TACOCAT__', resolve: n => byName.get(n.split('/').pop()) ?? null })
    return open(sources, { ...options, name: undefined, columns: 'fill' })
  }
  if (await isParquet(sources[0])) return new ParquetDataset(await openParquet(sources[0], { ...options, name }), name)
  return open(sources[0], options)
}

// Bytes of all files of a dataset; null if not all are known.
function bytesOf (source, ds) {
  const files = source.isDirectory ? [...source.files.values()] : Array.isArray(source) ? source : null
  if (files) return files.reduce((n, f) => n + f.size, 0)
  return /folder|tacocat/.test(ds.info.kind) ? null : ds.size
}

async function isParquet (source) {
  if (typeof source === 'string') return /\.parquet$/i.test(new URL(source, location.href).pathname)
  const head = new Uint8Array(await source.slice(0, 4).arrayBuffer().catch(e => {
    throw new TacoError('io', `${source.name}: cannot be read: ${e.message}. Is it a directory?`)
  }))
  return String.fromCharCode(...head) === 'PAR1'
}

// A Parquet file with the interface of a dataset.
class ParquetDataset {
  constructor (file, name) {
    this.file = file
    this.isParquet = true
    this.info = { id: name, kind: 'Parquet', n: file.rows, levels: [{ rows: file.rows }], row_groups: file.rowGroups }
  }

  get meter () { return this.file.meter }
  get size () { return this.file.size }
  async columns () { return this.file.fields }
  query ({ where, select, limit, offset, table, ...rest }, options) {
    const other = Object.keys(rest).find(k => rest[k] !== undefined)
    if (other) throw new TacoError('unsupported', `a plain Parquet file is filtered by its columns only, not by ${other}`)
    return where
      ? new Sliced(this.file.query({ where, columns: select }, options), offset, limit)
      : this.file.query({ columns: select, limit, offset }, options)
  }

  close () { this.file.close() }
}

// Rows [offset, offset + limit) of the matching rows.
class Sliced {
  constructor (rows, offset = 0, limit = Infinity) {
    Object.assign(this, { inner: rows, offset, limit })
  }

  count () { return this.inner.count() }
  fields () { return this.inner.fields() }
  text (format) { return this.inner.text(format) }
  arrow () { return this.inner.arrow() }
  parquet (options) { return this.inner.parquet(options) }
  async rows () {
    const out = []
    let i = 0
    for await (const row of this.inner) {
      if (i++ < this.offset) continue
      out.push(row)
      if (out.length >= this.limit) break
    }
    return out
  }
}

// ---- information and levels ----

function facts () {
  const { info } = state.ds
  const c = info.collection ?? {}
  const extent = info.extent ?? c.extent
  const items = [
    ['Id', info.title ? info.id : ''], ['Format', info.kind], ['Version', info.version ?? c.dataset_version],
    ['Licence', (info.licenses ?? []).join(', ')], ['Tasks', (info.tasks ?? []).join(', ')],
    ['Providers', (info.providers ?? []).map(p => p.name).join(', ')],
    ['Curators', (info.curators ?? []).map(p => p.name).join(', ')],
    ['Keywords', (info.keywords ?? []).join(', ')],
    ['Extent', extent?.spatial ? extent.spatial.map(x => Math.round(x * 1000) / 1000).join(', ') : ''],
    ['Time', extent?.temporal ? extent.temporal.map(t => String(t).slice(0, 10)).join(' to ') : ''],
    ['Size', state.bytes ? size(state.bytes) : ''], ['Samples', count(info.n ?? 0)], ['Levels', info.levels.length > 1 ? info.levels.length : ''],
    ['Citation', citation(c)], ['Row groups', info.row_groups]
  ].filter(([, v]) => v)
  $('facts').replaceChildren(
    el('h2', { textContent: info.title || info.id || state.name }),
    ...(info.description ? [el('p', { textContent: info.description })] : []),
    el('dl', {}, ...items.map(([k, v]) => el('div', {}, el('dt', { textContent: k }), el('dd', { textContent: v })))))
  document.title = `${info.title || info.id} - TACO explorer`
}

function citation (c) {
  const p = c['taco:publications'] ?? c.publications ?? c['publications:publications']
  const first = Array.isArray(p) ? p[0] : p
  return c.citation ?? first?.citation ?? first?.doi ?? ''
}

function levels () {
  $('levels').replaceChildren(...state.ds.info.levels.map((l, i) => el('button', {
    type: 'button', role: 'tab', ariaSelected: String(i === state.table), tabIndex: i === state.table ? 0 : -1,
    textContent: `Level ${i} (${count(l.rows)})`, onclick: () => level(i)
  })))
  $('levels').hidden = state.ds.info.levels.length < 2
}

function level (i) {
  state.table = i
  state.path = ''
  levels()
  query({ fit: true })
}

$('levels').addEventListener('keydown', e => {
  const n = state.ds.info.levels.length
  const to = { ArrowRight: state.table + 1, ArrowLeft: state.table - 1, Home: 0, End: n - 1 }[e.key]
  if (to === undefined) return
  e.preventDefault()
  level((to + n) % n)
  $('levels').children[state.table].focus()
})

// ---- the query ----

// The contents of the form: {where, sql, bbox, time}; throws if they are invalid.
function asked () {
  const text = $('where').value.trim()
  const q = {}
  if (isSelect(text)) q.sql = text.replace(/;\s*$/, '')
  else if (text) q.where = text
  const box = $('bbox').value.trim()
  if (box) {
    q.bbox = box.split(/[\s,;]+/).map(Number)
    if (q.bbox.length !== 4 || q.bbox.some(x => Number.isNaN(x))) {
      throw new TacoError('argument', `box '${box}': four numbers are expected: west, south, east, north`)
    }
  }
  const [from, to] = [$('from').value, $('to').value]
  if (from || to) q.time = `${from || '0001-01-01'}/${to || '9999-12-31'}`
  return q
}

// Result: {query, fields, count, rows(offset, n, columns)}.
async function query ({ fit = false } = {}) {
  const { ds } = state
  state.work.abort()
  state.work = new AbortController()
  const { signal } = state.work
  mistake(null)
  problem(null)
  state.sample = undefined
  remember()
  let q
  try {
    q = asked()
  } catch (e) {
    $('count').textContent = ''
    return problem(e)
  }
  try {
    $('count').textContent = 'reading…'
    const result = state.path
      ? await treeResult(ds.read(state.path, { signal }))
      : q.sql !== undefined ? await sqlResult(ds, q, signal) : await filterResult(ds, q, signal)
    if (signal.aborted) return
    state.result = result
    table.all = result.fields
    showColumns()
    crumbs()
    $('count').textContent = `${count(result.count)} row${result.count === 1 ? '' : 's'}` +
      (result.total && result.total !== result.count ? ` of ${count(result.total)}` : '')
    sampleHint('Choose a row to see the sample.')
    map.box(q.bbox)
    await shapes(fit)
  } catch (e) {
    if (e?.name === 'AbortError') return
    $('count').textContent = ''
    const inText = ['syntax', 'not found', 'type', 'argument', 'unsupported'].includes(e.code) && $('where').value.trim()
    if (inText) mistake(e)
    else problem(e)
  }
  meter()
}

async function filterResult (ds, q, signal) {
  const all = { ...q, table: state.table, level: state.table }
  if (ds.isParquet) delete all.level
  const isAll = !q.where && !q.bbox && !q.time
  const total = ds.info.levels[state.table].rows
  const fields = [...await ds.columns(state.table, { signal })]
  if (!ds.isParquet) fields.push({ name: 'internal:gdal_vsi', type: 'TEXT' })
  const first = fields[0].name
  const n = isAll ? (state.table ? total : ds.info.n ?? total) : await ds.query({ ...all, select: [first] }, { signal }).count()
  return {
    query: all, fields, count: n, total,
    rows: (offset, limit, select) => limit > 0 ? ds.query({ ...all, select, offset, limit }, { signal }).rows() : [],
    text: (format, select) => printed(ds.query({ ...all, select }, { signal }), format)
  }
}

// All rows of a SELECT are kept, since reading a page of them would run it again.
async function sqlResult (ds, { sql, ...q }, signal) {
  if (ds.isParquet) throw new TacoError('unsupported', 'a plain Parquet file is filtered, SELECT is for datasets')
  const rows = ds.query({ sql, ...q }, { signal })
  const list = await rows.rows()
  return held(await rows.fields(), list, { sql, ...q }, format => printed(ds.query({ sql, ...q }, { signal }), format))
}

async function treeResult (rows) {
  const list = await rows.rows()
  return held(await rows.fields(), list, {}, format => printed(state.ds.read(state.path), format))
}

async function printed (rows, format) {
  if (format === 'arrow') return rows.arrow()
  if (format === 'parquet') return rows.parquet({ wasm: await writerModule() })
  return rows.text(format)
}

// The module that writes Parquet is a separate script, since pages opened from disk can load scripts.
const writerModule = () => new Promise((resolve, reject) => {
  if (globalThis.tacoWriter) return resolve(globalThis.tacoWriter)
  document.head.append(el('script', {
    src: 'writer.js',
    onload: () => resolve(globalThis.tacoWriter),
    onerror: () => reject(new TacoError('io', 'writer.js, which writes Parquet, is not beside this page'))
  }))
})

const held = (fields, list, query, text) => ({ query, fields, count: list.length, list, rows: async (offset, n) => list.slice(offset, offset + n), text })

// Shows the library's message, with the position of the error marked below the text.
function mistake (e) {
  $('mistake').hidden = !e
  $('where').setAttribute('aria-invalid', e ? 'true' : 'false')
  if (!e) return
  const text = $('where').value.trim()
  const name = /column '([^']+)'/.exec(e.message)?.[1]
  const at = e.offset ?? (name ? text.indexOf(name) : -1)
  let out = e.message
  if (at >= 0 && at <= text.length) {
    const begin = text.lastIndexOf('\n', at - 1) + 1
    const line = text.slice(begin).split('\n')[0]
    const word = Math.max(/^[\w:."']*/.exec(text.slice(at))[0].length, 1)
    out = `${line}\n${' '.repeat(at - begin)}${'^'.repeat(word)}\n${e.message}`
  }
  $('mistake').textContent = out
}

// ---- the table ----

const table = new Table($('table'), {
  load: async (offset, n) => {
    try {
      const rows = await state.result.rows(offset, n, visible().map(f => f.name))
      meter()
      return rows
    } catch (e) {
      problem(e)
      throw e
    }
  },
  onPick: (i, row) => pick(i, row),
  onOpen: (i, row) => row?.type === 'FOLDER' && enter(row.id)
})

// Columns worth showing to people: no bytes, no internal columns, no lists of lists.
function isPlain (f) {
  const nested = f.children?.[0]?.children
  return !['BINARY', 'STRUCT', 'MAP'].includes(f.type) && !nested && !(f.name.startsWith('internal:'))
}

function visible () {
  const { fields } = state.result
  state.hidden ??= null
  if (state.hidden) return fields.filter(f => !state.hidden.has(f.name))
  const plain = fields.filter(isPlain).slice(0, 8)
  return plain.length ? plain : fields.slice(0, 8)
}

function showColumns () {
  const shown = new Set(visible().map(f => f.name))
  $('columns').lastElementChild.replaceChildren(...state.result.fields.map(f => el('label', {},
    el('input', {
      type: 'checkbox', checked: shown.has(f.name), onchange: e => {
        if (e.target.checked) shown.add(f.name); else shown.delete(f.name)
        if (!shown.size) shown.add(state.result.fields[0].name)
        state.hidden = new Set(state.result.fields.map(x => x.name).filter(n => !shown.has(n)))
        table.set({ fields: visible(), count: state.result.count })
      }
    }), f.name)))
  table.set({ fields: visible(), count: state.result.count })
}

function crumbs () {
  const parts = state.path ? state.path.split('/') : []
  const go = path => () => { state.path = path; query({ fit: true }) }
  $('path').replaceChildren(...(parts.length
    ? [el('button', { type: 'button', textContent: 'all', onclick: go('') }),
        ...parts.map((p, i) => el('button', { type: 'button', textContent: p, onclick: go(parts.slice(0, i + 1).join('/')) }))]
    : []))
}

function enter (id) {
  state.path = state.path ? `${state.path}/${id}` : id
  query({ fit: true })
}

// ---- the map ----

const GEOMETRY = ['istac:geometry', 'stac:centroid', 'istac:centroid', 'geometry']
const map = new GeoMap($('map'), {
  onPick: i => table.pick(i),
  onBox: box => {
    $('draw').setAttribute('aria-pressed', 'false')
    $('bbox').value = box.join(', ')
    query()
  }
})

async function shapes (fit, isAsked = false) {
  const { result, ds } = state
  const column = [...GEOMETRY, ...result.fields.filter(f => f.type === 'BINARY').map(f => f.name)]
    .find(n => result.fields.some(f => f.name === n && f.type === 'BINARY'))
  const n = Math.min(result.count, SHAPES)
  const say = text => { $('onmap').firstElementChild.textContent = text }
  $('showmap').hidden = true
  map.show([], false)
  if (!column) return say(result.count ? 'These rows have no geometry.' : '')
  // for a large remote level, this column alone is as large as all other data of the page
  if (!isAsked && state.url && result.count > 50000 && !result.list) {
    $('showmap').hidden = false
    $('showmap').onclick = () => shapes(true, true).catch(problem)
    return say(`${count(result.count)} rows: not read for the map yet.`)
  }
  const rows = await result.rows(0, n, [column])
  const features = rows.flatMap((r, index) => {
    const geometry = r[column] && toGeoJson(r[column])
    return geometry ? [{ index, geometry }] : []
  })
  if (ds !== state.ds || result !== state.result) return
  map.show(features, fit)
  document.body.dataset.shapes = features.length
  say(`${count(features.length)} of ${count(result.count)} rows on the map.`)
  meter()
}

// ---- the sample ----

const sampleHint = text => $('sample').replaceChildren(el('p', { className: 'hint', textContent: text }))

// Chooses the row of a sample: row number `at` if it still has that sample, or the first one of those at the beginning.
async function pickId (id, at) {
  if (at >= 0 && at < state.result.count && (await state.result.rows(at, 1, ['id']))[0]?.id === id) return table.pick(at)
  const rows = await state.result.rows(0, Math.min(state.result.count, 5000), ['id'])
  const i = rows.findIndex(r => r.id === id)
  if (i >= 0) await table.pick(i)
}

let picking = new AbortController()
async function pick (i, shown) {
  picking.abort()
  picking = new AbortController()
  const { signal } = picking
  map.pick(i)
  try {
    const [row] = state.result.list ? [state.result.list[i]] : await state.result.rows(i, 1, undefined)
    if (signal.aborted) return
    state.sample = row?.id ?? shown?.id
    state.row = i
    remember()
    await sample(row, signal)
  } catch (e) {
    if (!signal.aborted) problem(e)
  }
  meter()
}

function copyButton (text, what) {
  const b = el('button', { type: 'button', textContent: `Copy ${what}` })
  b.onclick = async () => {
    try { await navigator.clipboard.writeText(text) } catch { copyOld(text) }
    b.classList.add('copied')
    b.textContent = 'Copied'
    announce(`${what} copied`)
    setTimeout(() => { b.textContent = `Copy ${what}`; b.classList.remove('copied') }, 1200)
  }
  b.dataset.copy = what
  b.title = text
  return b
}

// For pages opened from disk, which have no clipboard API.
function copyOld (text) {
  const t = el('textarea', { value: text, className: 'hidden' })
  document.body.append(t)
  t.select()
  document.execCommand('copy')
  t.remove()
}

function save (blob, name) {
  const a = el('a', { href: URL.createObjectURL(blob), download: name })
  document.body.append(a)
  a.click()
  a.remove()
  setTimeout(() => URL.revokeObjectURL(a.href), 60000)
}

async function sample (row, signal) {
  const box = $('sample')
  if (!row) return sampleHint('')
  const vsi = row['internal:gdal_vsi']
  const title = el('h2', { textContent: row.id ?? 'Row' })
  const facts = el('table', {}, ...Object.entries(row).filter(([, v]) => v !== null).map(([k, v]) =>
    el('tr', {}, el('td', { textContent: k }), el('td', { textContent: v instanceof Uint8Array ? shapeText(v) : show(v) }))))
  const tools = el('div', { className: 'tools' })
  const view = el('div', {})
  const status = el('p', { className: 'hint' })
  box.replaceChildren(title, tools, view, status, facts)
  announce(`Sample ${row.id ?? ''}`)
  if (row.type === 'FOLDER' && !isJoined()) {
    tools.append(el('button', { type: 'button', className: 'main', textContent: 'Open folder', onclick: () => enter(row.id) }))
  }
  if (vsi) for (const [what, text] of snippets(vsi, row, placeOf(row))) tools.append(copyButton(text, what))
  if (!vsi || row.type === 'FOLDER') return
  const payload = await locate(vsi, row, signal)
  if (signal.aborted || !payload) return
  tools.append(el('button', {
    type: 'button', textContent: `Download (${size(payload.size)})`,
    onclick: () => payload.blob().then(b => save(b, fileName(row.id))).catch(problem)
  }))
  await preview(payload, view, status, signal)
}

const isJoined = () => state.result.query.sql !== undefined

// {dataset, path} of a row, for taco_locate; null if its parents are not known, or it is not of a dataset.
function placeOf (row) {
  if (state.ds.isParquet || isJoined() || row.id === undefined) return null
  if (state.path) return { dataset: state.url || state.name, path: `${state.path}/${row.id}` }
  return state.table === 0 ? { dataset: state.url || state.name, path: String(row.id) } : null
}
const shapeText = bytes => {
  const g = toGeoJson(bytes)
  return g ? `${g.type} ${JSON.stringify(g.coordinates ?? g.geometries).slice(0, 200)}` : `${bytes.length} bytes`
}
const fileName = id => String(id).replace(/[^\w.-]+/g, '_')

// The payload, located by its VSI path, which rows of any query and any level have.
async function locate (vsi, row, signal) {
  return state.ds.payloadOfVsi(vsi, { signal })
}

async function preview (payload, view, status, signal) {
  const kind = kindOf(await payload.bytes(0, 4096, { signal }))
  if (kind === 'tiff') return tiff(payload, view, status, signal)
  if (kind.startsWith('image/')) {
    const url = URL.createObjectURL(await payload.blob(kind, { signal }))
    view.replaceChildren(el('img', { src: url, alt: 'the sample', onload: () => URL.revokeObjectURL(url) }))
  } else if (kind === 'text') {
    view.replaceChildren(el('pre', { textContent: new TextDecoder().decode(await payload.bytes(0, 4000, { signal })) }))
  } else {
    status.textContent = 'No preview for this kind of file.'
  }
}

async function tiff (payload, view, status, signal) {
  let p
  try {
    p = await Picture.open(payload, signal)
  } catch (e) {
    status.textContent = `This GeoTIFF cannot be shown: ${e.message}`
    return
  }
  const canvas = el('canvas', { id: 'picture', role: 'img', ariaLabel: 'picture of the sample' })
  const names = Array.from({ length: p.bands }, (_, i) => i)
  const choose = (label, value, none) => {
    const s = el('select', { ariaLabel: label }, ...(none ? [el('option', { value: -1, textContent: 'grey' })] : []),
      ...names.map(i => el('option', { value: i, textContent: `band ${i + 1}` })))
    s.value = value
    return s
  }
  const isColor = p.bands >= 3
  const bands = [choose('red or grey', 0), choose('green', isColor ? 1 : -1, true), choose('blue', isColor ? 2 : -1, true)]
  const stretch = el('select', { ariaLabel: 'stretch' }, ...[['percent', '2-98 %'], ['minmax', 'min-max'], ['none', '0-255']]
    .map(([value, textContent]) => el('option', { value, textContent })))
  const draw = async () => {
    const picked = bands.map(b => Number(b.value))
    const use = picked[1] < 0 || picked[2] < 0 ? [picked[0]] : picked
    try {
      status.textContent = 'reading…'
      await p.draw(canvas, use, stretch.value, signal)
      status.textContent = `${p.full.join(' x ')} pixels, ${p.bands} band${p.bands === 1 ? '' : 's'}` +
        (p.width < p.full[0] ? `, ${p.isWhole ? '' : 'the middle '}shown as ${p.width} x ${p.height}` : '') + '. Click the picture for values.'
      canvas.dataset.ready = use.join()
      announce(`Picture: ${status.textContent}`)
    } catch (e) {
      if (!signal.aborted) status.textContent = `This GeoTIFF cannot be shown: ${e.message}`
    }
    meter()
  }
  canvas.onclick = async e => {
    try {
      const { x, y, values } = await p.at(e.offsetX / canvas.clientWidth, e.offsetY / canvas.clientHeight, signal)
      status.textContent = `at ${x}, ${y}: ${values.join(', ')}`
      announce(status.textContent)
    } catch (e) {
      if (!signal.aborted) status.textContent = `This pixel cannot be read: ${e.message}`
    }
    meter()
  }
  for (const s of [...bands, stretch]) s.onchange = draw
  const tools = el('div', { className: 'tools' }, ...(p.bands > 1 ? bands : []), stretch)
  view.replaceChildren(tools, canvas)
  state.picture = p
  await draw()
}

// ---- downloads ----

$('save').addEventListener('click', async e => {
  const { format } = e.target.dataset
  if (!format || !state.result) return
  $('save').open = false
  const name = fileName(state.ds.info.id || 'rows')
  try {
    if (format === 'geojson') return save(new Blob([JSON.stringify(await geoJson())], { type: 'application/geo+json' }), `${name}.geojson`)
    const data = await state.result.text(format)
    save(new Blob([data]), `${name}.${format}`)
  } catch (e) {
    problem(e)
  }
  meter()
})

async function geoJson () {
  const { result } = state
  const column = GEOMETRY.find(n => result.fields.some(f => f.name === n)) ?? result.fields.find(f => f.type === 'BINARY')?.name
  if (!column) throw new TacoError('argument', 'these rows have no geometry: choose another format')
  // the library's own text, so that values are as in the other formats
  const lines = (await result.text('ndjson')).split('\n').filter(Boolean)
  return {
    type: 'FeatureCollection',
    features: lines.map(line => {
      const { [column]: hex, ...properties } = JSON.parse(line)
      return { type: 'Feature', geometry: hex ? toGeoJson(fromHex(hex)) : null, properties }
    })
  }
}

const fromHex = hex => Uint8Array.from({ length: hex.length / 2 }, (_, i) => parseInt(hex.slice(2 * i, 2 * i + 2), 16))

// ---- the page ----

function remember () {
  const entries = {
    url: state.url, table: state.table || '', path: state.path, where: $('where').value.trim(), from: $('from').value, to: $('to').value,
    bbox: $('bbox').value.trim(), sample: state.sample ?? '', row: state.sample === undefined ? '' : state.row
  }
  const kept = new URLSearchParams(Object.entries(entries).filter(([, v]) => v !== ''))
  history.replaceState(null, '', `#${kept}`)
}

const fromHash = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)))

async function start () {
  const wanted = fromHash()
  if (!wanted.url) return
  const url = new URL(wanted.url, location.href).href
  if (url === state.url) return view(wanted)
  $('url').value = url
  await openSource(url, url, wanted)
}

$('open').addEventListener('submit', e => {
  e.preventDefault()
  const url = $('url').value.trim()
  if (url) openSource(new URL(url, location.href).href, new URL(url, location.href).href)
})
const openFiles = files => {
  const list = [...files]
  if (list.length) openSource(list.length > 1 ? list : list[0], list[0].name)
}
$('file').addEventListener('change', e => openFiles(e.target.files))
$('filter').addEventListener('submit', e => { e.preventDefault(); state.path = ''; query() })
$('where').addEventListener('keydown', e => {
  if (e.key === 'Enter' && !e.shiftKey) { e.preventDefault(); $('filter').requestSubmit() }
})
$('clear').addEventListener('click', () => {
  for (const id of ['where', 'from', 'to', 'bbox']) $(id).value = ''
  state.path = ''
  query({ fit: true })
})
$('draw').addEventListener('click', e => {
  const on = e.target.getAttribute('aria-pressed') !== 'true'
  e.target.setAttribute('aria-pressed', on)
  map.draw(on)
})

// Opens dropped files, or a directory, whose files are found by name.
async function dropped (transfer) {
  const entry = transfer.items[0]?.webkitGetAsEntry?.()
  if (!entry?.isDirectory) return openFiles(transfer.files)
  const files = new Map()
  const walk = async (dir, path) => {
    const reader = dir.createReader()
    for (let part; (part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))).length;) {
      for (const x of part) {
        if (x.isDirectory) await walk(x, `${path}/${x.name}`)
        else files.set(`${path}/${x.name}`, await new Promise((resolve, reject) => x.file(resolve, reject)))
      }
    }
  }
  try {
    await walk(entry, entry.name)
  } catch (e) {
    return problem(new TacoError('io', `${entry.name}: this page may not read a directory that is dropped (${e.message}): use "Folder…"`))
  }
  openDirectory(entry.name, files)
}

function openDirectory (name, files) {
  openSource({ name, isDirectory: true, files }, name)
}

$('folder').addEventListener('change', e => {
  const files = [...e.target.files]
  if (!files.length) return
  openDirectory(files[0].webkitRelativePath.split('/')[0], new Map(files.map(f => [f.webkitRelativePath, f])))
})

for (const type of ['dragover', 'dragleave', 'drop']) {
  document.addEventListener(type, e => {
    e.preventDefault()
    document.body.classList.toggle('over', type === 'dragover')
    if (type === 'drop') dropped(e.dataTransfer)
  })
}
document.addEventListener('click', e => {
  for (const d of document.querySelectorAll('details[open]')) if (!d.contains(e.target)) d.open = false
})
document.addEventListener('keydown', e => {
  if (e.key !== 'Escape') return
  for (const d of document.querySelectorAll('details[open]')) {
    d.open = false
    d.firstElementChild.focus()
  }
})
window.addEventListener('hashchange', () => start())
window.explorer = Object.assign(state, { map })
start()
