// node hyparquet.mjs MODULES LIST - LIST has a line per pair of Parquet files, tab-separated; says which pairs hyparquet
// reads differently, cell by cell. MODULES is the directory where npm put hyparquet.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
const [modules, list] = process.argv.slice(2)
const load = name => import(pathToFileURL(`${modules}/node_modules/${name}`).href)
const { parquetReadObjects } = await load('hyparquet/src/index.js')
const { compressors } = await load('hyparquet-compressors/src/index.js')

const plain = (key, v) => {
  if (typeof v === 'bigint') return `n${v}`
  if (typeof v === 'number' && (!Number.isFinite(v) || Object.is(v, -0))) return `f${Object.is(v, -0) ? '-0' : v}`
  if (v instanceof Uint8Array) return `b${Buffer.from(v).toString('hex')}`
  return v
}
const bytes = path => {
  const b = readFileSync(path)
  return b.buffer.slice(b.byteOffset, b.byteOffset + b.byteLength)
}
const rows = async path => (await parquetReadObjects({ file: bytes(path), compressors })).map(r => JSON.stringify(r, plain))
let bad = 0, done = 0, skipped = 0
for (const line of readFileSync(list, 'utf8').split('\n').filter(Boolean)) {
  const [source, copy] = line.split('\t')
  let want
  try { want = await rows(source) } catch { skipped++; continue }
  try {
    const got = await rows(copy)
    const at = want.findIndex((r, i) => r !== got[i])
    if (at >= 0 || want.length !== got.length) {
      bad++
      console.log(`FAIL hyparquet ${copy} row ${at}: ${want[at]?.slice(0, 300)} -> ${got[at]?.slice(0, 300)}`)
    }
  } catch (e) { bad++; console.log(`FAIL hyparquet ${copy}: ${e}`) }
  done++
}
console.log(`hyparquet: ${done} files read, ${bad} different, ${skipped} sources it cannot read`)
process.exit(bad ? 1 : 0)
