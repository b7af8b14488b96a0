// start.js - starts a module and opens sources in it, for datasets and Parquet files
import { TacoError } from './errors.js'
import { Module } from './module.js'
import { isUrl, hasFiles } from './sources.js'

// The name of a source in messages and in paths for GDAL.
function nameOf (source, i) {
  if (typeof source === 'string' || source instanceof URL) return String(source)
  return source?.name || `dataset${i || ''}.tacozip`
}

// Whether other files of a dataset can be found by name: the source is a URL or a path.
const namesFiles = source => typeof source === 'string' || source instanceof URL

// Starts a module and opens the sources in it. Returns {m, names}. kind: which module, if not the one the options imply.
export async function start (sources, options, kind) {
  const names = sources.map((s, i) => options.name && sources.length === 1 ? options.name : nameOf(s, i))
  const m = await Module.create(options, kind)
  m.host.hasNames = sources.every(namesFiles) && (hasFiles || names.every(isUrl))
  await Promise.all(sources.map(async (s, i) => {
    if (s?.isDirectory && options.resolve) return m.host.files.set(names[i], { missing: true })
    const there = await m.host.declare(names[i], s, options.signal)
    // a directory is not a file, but may still be a dataset
    if (!there && !m.host.hasNames) throw new TacoError('not found', `${names[i]}: there is no such file`)
  }))
  return { m, names }
}

// Bytes of all sources; null if one of them is a directory.
export function sizeOf (m, names) {
  const sizes = names.map(n => m.host.files.get(n)?.source?.size ?? null)
  return sizes.includes(null) ? null : sizes.reduce((a, b) => a + b, 0)
}

// To the library a URL is just a name, so a missing file on a server needs an error of its own.
export function absent (m, names, e) {
  const gone = names.find(n => m.host.files.get(n)?.missing && isUrl(n))
  return gone && e.code === 'not found'
    ? new TacoError('not found', `${gone}: there is no such file on the server (status 404), and no dataset below that name`, null, { cause: e })
    : e
}
