// types.ts - compiled with the declarations, never run: what callers write has types.
import { open, TacoError, type Row } from 'taco-h'
import { openParquet } from 'taco-h/parquet'

const ds = await open(new Blob(), { sql: true, onProgress: p => p.bytes.toFixed() })
const rows: Row[] = await ds.query({ where: 'a < 1', bbox: [0, 1, 2, 3], time: [new Date(), '2024'] }).rows()
for await (const row of ds.query('SELECT 1')) console.log(row.id, rows.length)
const text: string = await ds.plan('SELECT 1', { text: true })
const blob: Blob = await (await ds.payload('a/b')).blob('image/tiff')
const n: number = await (await openParquet(new URL('https://host/a.parquet'))).query({ columns: ['a'] }).count()
const e = new TacoError('cors', text, n)
// @ts-expect-error a misspelt key
ds.query({ wheer: 'a' })
export default [blob, e]
