// build.mjs - bundles the explorer into one directory that works both from a server and opened from disk:
// node explorer/build.mjs OUT. The script contains the modules, since pages opened from disk cannot fetch.
import { build } from 'esbuild'
import fs from 'node:fs'
import path from 'node:path'

const here = import.meta.dirname
const out = path.resolve(process.argv[2] ?? path.join(here, '../dist'))
fs.mkdirSync(out, { recursive: true })
await build({
  entryPoints: { app: path.join(here, 'main.js'), writer: path.join(here, 'writer.js') },
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['es2022'],
  outdir: out,
  loader: { '.wasm': 'binary' },
  define: { 'import.meta.url': '""', 'import.meta.dirname': '""' },
  external: ['node:*', 'fs', 'http', 'https', 'url', 'path'],
  logLevel: 'warning',
  legalComments: 'eof'
})
fs.writeFileSync(path.join(out, 'app.css'),
  fs.readFileSync(path.join(here, '../node_modules/leaflet/dist/leaflet.css'), 'utf8').replace(/url\((?!data)[^)]*\)/g, 'none') +
  fs.readFileSync(path.join(here, 'style.css'), 'utf8'))
fs.copyFileSync(path.join(here, 'index.html'), path.join(out, 'index.html'))
