// table.js - a table of any number of rows: only those in view have elements, and rows are loaded by page
//
// Browsers limit the height of elements, so the scroll bar covers at most TALL pixels, which represent all rows.

const ROW = 28
const PAGE = 100
const TALL = 6e6

export class Table {
  // load(offset, n): a promise of rows; onPick(index, row); onOpen(index, row)
  constructor (element, { load, onPick, onOpen }) {
    Object.assign(this, { element, load, onPick, onOpen })
    element.innerHTML = '<div class="head" role="row"></div><div class="space"></div>'
    this.head = element.firstChild
    this.space = element.lastChild
    this.rows = new Map() // elements in view, by row index
    this.clear()
    element.addEventListener('scroll', () => this.#scrolled())
    element.addEventListener('wheel', e => this.#wheel(e), { passive: false })
    element.addEventListener('keydown', e => this.#key(e))
    new ResizeObserver(() => this.draw()).observe(element)
  }

  clear () {
    this.set({ fields: [], count: 0 })
  }

  set ({ fields, count }) {
    this.fields = fields
    this.count = count
    this.pages = new Map()
    this.picked = -1
    this.top = 0 // scroll position in pixels, over all rows
    this.expected = NaN // scrollTop after we set it ourselves
    this.version = (this.version ?? 0) + 1
    for (const r of this.rows.values()) r.remove()
    this.rows.clear()
    this.widths = fields.map(f => /id$|time|vsi/.test(f.name) || f.type === 'TIMESTAMP' ? 190 : 130)
    this.width = this.widths.reduce((a, b) => a + b, 0)
    this.head.style.gridTemplateColumns = this.grid
    this.head.style.width = `${this.width}px`
    this.head.replaceChildren(...fields.map(f => cell(f.name, numeric(f) ? 'number' : '', 'columnheader')))
    this.space.style.height = `${Math.min(count * ROW, TALL)}px`
    this.element.style.height = `${Math.max(count + 1, 3) * ROW + 20}px`
    this.element.setAttribute('aria-rowcount', count + 1)
    this.element.setAttribute('aria-colcount', fields.length)
    this.element.scrollTop = 0
    this.draw()
  }

  get grid () { return this.widths.map(w => `minmax(${w}px, ${w}fr)`).join(' ') }
  get inView () { return this.element.clientHeight - ROW }
  get most () { return Math.max(this.count * ROW - this.inView, 0) }
  get factor () {
    const range = Math.min(this.count * ROW, TALL) - this.inView
    return range > 0 ? this.most / range : 1
  }

  #scrolled () {
    // after our own scrolling, top is more exact than the scroll bar
    if (Math.abs(this.element.scrollTop - this.expected) < 1) return this.draw()
    this.expected = NaN
    this.top = this.element.scrollTop * this.factor
    this.draw()
  }

  #moveTo (top) {
    this.top = Math.min(Math.max(top, 0), this.most)
    const at = this.top / this.factor
    if (Math.abs(at - this.element.scrollTop) >= 1) {
      this.element.scrollTop = at
      this.expected = this.element.scrollTop
    }
    this.draw()
  }

  // If a pixel of the scroll bar represents several, the wheel still scrolls by single pixels.
  #wheel (e) {
    if (this.factor <= 1 || !e.deltaY || e.ctrlKey) return
    e.preventDefault()
    this.#moveTo(this.top + e.deltaY)
  }

  #key (e) {
    const page = Math.max(Math.floor(this.inView / ROW) - 1, 1)
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[e.key]
    if (e.key === 'Enter' && this.picked >= 0) this.onOpen?.(this.picked, this.row(this.picked))
    else if (step) this.pick(Math.min(Math.max(this.picked + step, 0), this.count - 1))
    else return
    e.preventDefault()
  }

  row (i) {
    const p = this.pages.get(Math.floor(i / PAGE))
    return Array.isArray(p) ? p[i % PAGE] : undefined
  }

  // Selects a row, scrolls it into view, and calls onPick once it is loaded.
  async pick (i, isQuiet = false) {
    if (i < 0 || i >= this.count) return
    this.picked = i
    if (i * ROW < this.top) this.#moveTo(i * ROW)
    else if ((i + 1) * ROW > this.top + this.inView) this.#moveTo((i + 1) * ROW - this.inView)
    this.draw()
    const version = this.version
    await this.#page(Math.floor(i / PAGE))
    if (version === this.version && i === this.picked && !isQuiet) this.onPick?.(i, this.row(i))
  }

  #page (p) {
    if (!this.pages.has(p)) {
      const version = this.version
      const loading = this.load(p * PAGE, Math.min(PAGE, this.count - p * PAGE)).then(rows => {
        if (version !== this.version) return
        this.pages.set(p, rows)
        for (let i = p * PAGE; i < (p + 1) * PAGE; i++) { this.rows.get(i)?.remove(); this.rows.delete(i) }
        if (this.pages.size > 60) this.pages.delete(this.pages.keys().next().value)
        this.draw()
      }, () => { if (version === this.version) this.pages.delete(p) })
      this.pages.set(p, loading)
    }
    return this.pages.get(p)
  }

  draw () {
    const first = Math.max(Math.floor(this.top / ROW) - 3, 0)
    const last = Math.min(Math.ceil((this.top + this.inView) / ROW) + 3, this.count)
    for (const [i, r] of this.rows) {
      if (i < first || i >= last) { r.remove(); this.rows.delete(i) }
    }
    clearTimeout(this.later)
    const missing = new Set()
    for (let i = first; i < last; i++) {
      if (!this.row(i)) missing.add(Math.floor(i / PAGE))
      if (!this.rows.has(i)) this.#add(i)
      const r = this.rows.get(i)
      r.style.transform = `translateY(${this.element.scrollTop + ROW + i * ROW - this.top}px)`
      r.setAttribute('aria-selected', i === this.picked)
    }
    if (this.picked >= 0 && this.rows.has(this.picked)) this.element.setAttribute('aria-activedescendant', `row${this.picked}`)
    // rows that are only scrolled past are not loaded
    if (missing.size) this.later = setTimeout(() => { for (const p of missing) this.#page(p) }, 60)
  }

  #add (i) {
    const row = this.row(i)
    const r = document.createElement('div')
    r.className = 'row'
    r.id = `row${i}`
    r.setAttribute('role', 'row')
    r.setAttribute('aria-rowindex', i + 2)
    r.style.gridTemplateColumns = this.grid
    r.style.width = `${this.width}px`
    r.append(...this.fields.map(f => {
      if (!row) return cell('…', 'null', 'gridcell')
      const v = row[f.name]
      return cell(show(v), v === null ? 'null' : numeric(f) ? 'number' : '', 'gridcell')
    }))
    r.onclick = () => this.pick(i)
    r.ondblclick = () => this.onOpen?.(i, this.row(i))
    this.element.append(r)
    this.rows.set(i, r)
  }
}

const numeric = f => /^(U?INT|FLOAT|DOUBLE|HALF|DECIMAL)/.test(f.type) && f.type !== 'INTERVAL'

function cell (text, className, role) {
  const c = document.createElement('div')
  c.textContent = text
  c.title = text
  c.className = className
  c.setAttribute('role', role)
  return c
}

// A value as text for people.
export function show (v) {
  if (v === null || v === undefined) return 'null'
  if (v instanceof Date) return v.toISOString().replace('T00:00:00.000Z', '').replace('.000Z', 'Z')
  if (v instanceof Uint8Array) return `${v.length} bytes`
  if (v instanceof Map) return `{${[...v].map(([k, x]) => `${show(k)}: ${show(x)}`).join(', ')}}`
  if (Array.isArray(v)) return `[${v.map(show).join(', ')}]`
  if (typeof v === 'object') return `{${Object.entries(v).map(([k, x]) => `${k}: ${show(x)}`).join(', ')}}`
  return String(v)
}
