// start.js - a module with the sources that are opened in it: what datasets and Parquet files have in common.
import { TacoError } from './errors.js'
import { Module } from './module.js'
import { isUrl, hasFiles } from './sources.js'

// What a source is called in messages and in paths for GDAL.
function nameOf (source, i) {
  if (typeof source === 'string' || source instanceof URL) return String(source)
  return source?.name || `dataset${i || ''}.tacozip`
}

// A name that the files of a dataset can be found beside: a URL or a path.
const namesFiles = source => typeof source === 'string' || source instanceof URL

// Starts a module with the sources, and opens them: {module, names}. kind: which module, if not that of the options.
export async function start (sources, options, kind) {
  const names = sources.map((s, i) => options.name && sources.length === 1 ? options.name : nameOf(s, i))
  const m = await Module.create(options, kind)
  m.host.hasNames = sources.every(namesFiles) && (hasFiles || names.every(isUrl))
  await Promise.all(sources.map(async (s, i) => {
    if (s?.isDirectory && options.resolve) return m.host.files.set(names[i], { missing: true })
    const there = await m.host.declare(names[i], s, options.signal)
    // a directory is no file, and may be a dataset all the same
    if (!there && !m.host.hasNames) throw new TacoError('not found', `${names[i]}: there is no such file`)
  }))
  return { m, names }
}

// The library knows a URL without a file for nothing but a name.
export function absent (m, names, e) {
  const gone = names.find(n => m.host.files.get(n)?.missing && isUrl(n))
  return gone && e.code === 'not found'
    ? new TacoError('not found', `${gone}: there is no such file on the server (status 404), and no dataset below that name`, null, { cause: e })
    : e
}
