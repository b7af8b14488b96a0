// map.js - footprints of rows on a map with the outline of the land, and the box the user draws
import L from 'leaflet'
import { feature } from 'topojson-client'
import land from 'world-atlas/land-110m.json'

// Rings that cross 180 degrees continue beyond it; the edge of Antarctica along the pole is left alone.
function unwrapped (rings) {
  return rings.map(ring => {
    let shift = 0
    return ring.map(([x, y], i) => {
      const dx = i ? x - ring[i - 1][0] : 0
      if (Math.abs(dx) > 180 && Math.abs(y) < 85) shift -= 360 * Math.sign(dx)
      return [x + shift, y]
    })
  })
}

const moved = (rings, by) => rings.map(ring => ring.map(([x, y]) => [x + by, y]))

// The land, repeated once on each side.
function landShape () {
  const shapes = feature(land, land.objects.land)
  const polygons = (shapes.features ?? [shapes]).flatMap(f => f.geometry.type === 'Polygon' ? [f.geometry.coordinates] : f.geometry.coordinates)
  return { type: 'MultiPolygon', coordinates: polygons.map(unwrapped).flatMap(p => [p, moved(p, -360), moved(p, 360)]) }
}

const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

export class GeoMap {
  // onPick(index); onBox([west, south, east, north])
  constructor (element, { onPick, onBox }) {
    this.onPick = onPick
    this.onBox = onBox
    this.element = element
    this.map = L.map(element, { preferCanvas: true, worldCopyJump: false, minZoom: 0, maxZoom: 19, zoomSnap: 0.25 })
    this.map.fitBounds([[-60, -170], [75, 170]])
    this.land = L.geoJSON(landShape(), { interactive: false, style: () => ({ stroke: false, fillColor: css('--land'), fillOpacity: 1 }) })
    this.land.addTo(this.map)
    this.shapes = L.layerGroup().addTo(this.map)
    this.byIndex = new Map()
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.land.setStyle(this.land.options.style())
      for (const layer of this.byIndex.values()) if (layer !== this.picked) layer.setStyle({ color: css('--mark') })
    })
    new ResizeObserver(() => this.map.invalidateSize()).observe(element)
    this.#drawing()
  }

  // features: [{index, geometry}]
  show (features, fit) {
    this.shapes.clearLayers()
    this.byIndex.clear()
    this.picked = null
    const color = css('--mark')
    for (const { index, geometry } of features) {
      const layer = L.geoJSON(geometry, {
        style: () => ({ color, weight: 1, fillOpacity: 0.15 }),
        pointToLayer: (_, at) => L.circleMarker(at, { radius: 4, color, weight: 1, fillOpacity: 0.5 })
      })
      layer.on('click', e => { L.DomEvent.stop(e); this.onPick(index) })
      this.shapes.addLayer(layer)
      this.byIndex.set(index, layer)
    }
    const all = L.featureGroup([...this.byIndex.values()]).getBounds()
    if (fit && all.isValid()) this.map.fitBounds(all.pad(0.1), { maxZoom: 10, animate: false })
  }

  pick (index) {
    const plain = { color: css('--mark'), weight: 1 }
    this.picked?.setStyle?.(plain)
    this.picked = this.byIndex.get(index) ?? null
    this.picked?.setStyle?.({ color: '#e8590c', weight: 3 })
    this.picked?.bringToFront?.()
    const b = this.picked?.getBounds?.()
    if (b?.isValid() && !this.map.getBounds().intersects(b)) this.map.panTo(b.getCenter())
  }

  box (bbox) {
    this.rectangle?.remove()
    this.rectangle = null
    if (!bbox || bbox.some(x => !Number.isFinite(x))) return
    const [w, s, e, n] = bbox
    this.rectangle = L.rectangle([[s, w], [n, e]], { color: '#e8590c', weight: 2, fill: false, interactive: false }).addTo(this.map)
  }

  draw (on) {
    this.isDrawing = on
    this.element.classList.toggle('drawing', on)
    this.map.dragging[on ? 'disable' : 'enable']()
  }

  #drawing () {
    let from = null
    const box = e => L.latLngBounds(from, this.map.mouseEventToLatLng(e))
    const element = this.element
    element.addEventListener('pointerdown', e => {
      if (!this.isDrawing || e.target.closest('.leaflet-control')) return
      from = this.map.mouseEventToLatLng(e)
      element.setPointerCapture(e.pointerId)
      e.preventDefault()
    })
    element.addEventListener('pointermove', e => {
      if (!from) return
      const b = box(e)
      this.box([b.getWest(), b.getSouth(), b.getEast(), b.getNorth()])
    })
    element.addEventListener('pointercancel', () => { from = null })
    element.addEventListener('pointerup', e => {
      if (!from) return
      const b = box(e)
      from = null
      this.draw(false)
      // as many digits as a pixel is worth
      const digits = Math.min(6, Math.max(1, Math.ceil(Math.log10(256 * 2 ** this.map.getZoom() / 360))))
      const r = x => Number(x.toFixed(digits))
      const clip = (x, most) => Math.max(-most, Math.min(most, x))
      this.onBox([r(clip(b.getWest(), 180)), r(clip(b.getSouth(), 90)), r(clip(b.getEast(), 180)), r(clip(b.getNorth(), 90))])
    })
  }
}
