// ranges.js - the cached bytes of one file, and the ranges to fetch for the others

// Sorts ranges by offset, and joins those at most `gap` bytes apart.
export function coalesce (ranges, gap) {
  const out = []
  for (const r of [...ranges].sort((a, b) => a.offset - b.offset)) {
    const last = out[out.length - 1]
    if (last && r.offset <= last.offset + last.length + gap) {
      last.length = Math.max(last.length, r.offset + r.length - last.offset)
    } else {
      out.push({ offset: r.offset, length: r.length })
    }
  }
  return out
}

export class Ranges {
  constructor () {
    this.segments = [] // {offset, data, used}, sorted, without overlaps
    this.bytes = 0
    this.clock = 0
  }

  // The index of the first segment that ends after offset.
  #find (offset) {
    let low = 0
    let high = this.segments.length
    while (low < high) {
      const mid = (low + high) >> 1
      const s = this.segments[mid]
      if (s.offset + s.data.length > offset) high = mid
      else low = mid + 1
    }
    return low
  }

  // The parts of a range that are not cached.
  missing (offset, length) {
    const out = []
    const end = offset + length
    for (let i = this.#find(offset); offset < end; i++) {
      const s = this.segments[i]
      const stop = s ? Math.min(s.offset, end) : end
      if (stop > offset) out.push({ offset, length: stop - offset })
      offset = s ? Math.max(offset, s.offset + s.data.length) : end
    }
    return out
  }

  has (offset, length) {
    return this.missing(offset, length).length === 0
  }

  // Copies a cached range to target.
  copy (offset, target) {
    const end = offset + target.length
    for (let i = this.#find(offset), at = offset; at < end; i++) {
      const s = this.segments[i]
      const part = s.data.subarray(at - s.offset, Math.min(end - s.offset, s.data.length))
      target.set(part, at - offset)
      s.used = ++this.clock
      at += part.length
    }
  }

  // Adds the parts of a range that are not cached yet.
  add (offset, data) {
    for (const m of this.missing(offset, data.length)) {
      const part = data.subarray(m.offset - offset, m.offset - offset + m.length)
      this.segments.splice(this.#find(m.offset), 0, { offset: m.offset, data: part, used: ++this.clock })
      this.bytes += part.length
    }
  }

  // Drops the least recently used segments until at most `most` bytes are left.
  trim (most) {
    if (this.bytes <= most) return
    const old = [...this.segments].sort((a, b) => a.used - b.used)
    const gone = new Set()
    for (const s of old) {
      if (this.bytes <= most) break
      gone.add(s)
      this.bytes -= s.data.length
    }
    this.segments = this.segments.filter(s => !gone.has(s))
  }
}
