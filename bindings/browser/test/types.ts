// types.ts - compiled with the declarations, never run: what callers write has types.
import { open, TacoError, type Row } from 'taco-h'
import { openParquet } from 'taco-h/parquet'

const ds = await open(new Blob(), { sql: true, onProgress: p => p.bytes.toFixed() })
const rows: Row[] = await ds.query({ where: 'a < 1', bbox: [0, 1, 2, 3], time: [new Date(), '2024'] }).rows()
for await (const row of ds.query('SELECT 1')) console.log(row.id, rows.length)
const text: string = await ds.plan('SELECT 1', { text: true })
const blob: Blob = await (await ds.payload('a/b')).blob('image/tiff')
const n: number = await (await openParquet(new URL('https://host/a.parquet'))).query({ columns: ['a'] }).count()
const bytes: number | null = ds.size
const arrow: Uint8Array = await ds.query({ select: ['id'], table: 1, filters: [{ level: 0, where: 'a = 1' }] }).arrow()
const { a } = await ds.query({}, { signal: AbortSignal.timeout(1000), onRows: count => count.toFixed() }).columns()
const first = a.values instanceof Float64Array ? a.values[0] : null
for await (const batch of ds.read('tile/@2').batches()) console.log(batch.length, batch.columns.id.type === 'TEXT')
const own = await open({ size: 1, read: async (offset, length) => new Uint8Array(length + offset) }, { wasm: name => new URL(name, 'https://host') })
const folder = await open({ name: 'ds', isDirectory: true }, { resolve: name => name === 'ds/COLLECTION.json' ? new Blob() : null })
const e = new TacoError('cors', text, n)
// @ts-expect-error a misspelt key
ds.query({ wheer: 'a' })
// @ts-expect-error a source without a size
await open({ read: async () => new Uint8Array() })
// @ts-expect-error not a code
const wrong: TacoError['code'] = 'timeout'
export default [blob, e, bytes, arrow, first, own, folder, wrong]
