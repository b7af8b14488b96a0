// Types of parquet.js: plain Parquet files.
import type { Field, OpenOptions, Progress, Rows, RunOptions, Source } from './index.js'

export { TacoError } from './index.js'
export type { Batch, Column, Field, Format, OpenOptions, Row, Rows, Source, Value } from './index.js'

export interface ParquetQuery {
  columns?: string[]
  where?: string
  limit?: number
  /** First row of the file to look at, and the number of rows to look at. */
  offset?: number
  rowCount?: number
  signal?: AbortSignal
  onRows?: (n: number) => void
}

export interface ParquetFile {
  /** In bytes. */
  readonly size: number
  readonly rows: number
  readonly rowGroups: number
  readonly fields: Field[]
  readonly meter: Progress
  readonly memory: number
  keyValue (key: string): string | undefined
  query (query?: ParquetQuery, options?: RunOptions): Rows
  close (): void
}

export function openParquet (source: Source, options?: Omit<OpenOptions, 'sql' | 'columns' | 'basePath'>): Promise<ParquetFile>
