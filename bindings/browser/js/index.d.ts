// Types of index.js: TACO datasets in the browser, Node and Deno.

/** A failure of the library, a server or a call. */
export class TacoError extends Error {
  readonly code:
    | 'argument' | 'state' | 'memory' | 'limit' | 'io' | 'truncated' | 'corrupt' | 'checksum' | 'unsupported'
    | 'not found' | 'type' | 'syntax' | 'network' | 'cors' | 'ranges' | 'internal' | 'unknown'
  /** Byte of the file, or column of the text, at which it failed. */
  readonly offset: number | null
  constructor (code: TacoError['code'], message: string, offset?: number | null, options?: ErrorOptions)
}

/** Random-access bytes provided by the caller: read resolves with exactly `length` bytes. */
export interface CustomSource {
  readonly name?: string
  readonly size: number
  read (offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array | ArrayBuffer>
  /** Bytes worth reading to save a request [16384]; bytes per read [16 MiB]; concurrent reads [4]. */
  readonly gap?: number
  readonly most?: number
  readonly parallel?: number
}

/** A FOLDER or catalogue whose files OpenOptions.resolve provides: their names begin with this one. */
export interface Directory { readonly name: string, readonly isDirectory: true }

/** Paths are for Node and Deno. */
export type Source = Directory | File | Blob | URL | string | ArrayBuffer | Uint8Array | CustomSource

export interface Progress { requests: number, bytes: number }

export type Wasm = URL | string | BufferSource | WebAssembly.Module

export interface OpenOptions {
  /** Name of the dataset in paths and messages, if the source has none. */
  name?: string
  signal?: AbortSignal
  /** Load the module that has SQL and plans. */
  sql?: boolean
  /** Load taco-full.wasm at once, instead of when something needs it. */
  full?: boolean
  /** The WebAssembly module, if it is not beside this file; or a function that returns one by name ('taco-full.wasm').
   *  If a single module is given, there is no larger one to switch to: taco-full.wasm and taco-sql.wasm need none. */
  wasm?: Wasm | ((name: string) => Wasm | Promise<Wasm>)
  /** Bytes the module may use [1 GiB]; bytes of fetched ranges to cache [256 MiB]. */
  maxMemory?: number
  cacheBytes?: number
  /** For URLs. */
  headers?: Record<string, string>
  fetch?: typeof fetch
  /** Other files of the dataset (archives of a catalogue) by name; null if there is no such file. */
  resolve?: (name: string, signal?: AbortSignal) => Source | null | Promise<Source | null>
  /** Where the archives of a catalogue are, if not beside it. */
  basePath?: string
  /** Columns of several datasets: those they share, all columns, or all must have the same. */
  columns?: 'intersection' | 'fill' | 'strict'
  onProgress?: (p: Progress) => void
  onWarning?: (text: string) => void
}

export type TypeName =
  | 'NULL' | 'BOOL' | 'INT8' | 'INT16' | 'INT32' | 'INT64' | 'UINT8' | 'UINT16' | 'UINT32' | 'UINT64' | 'HALF' | 'FLOAT'
  | 'DOUBLE' | 'DECIMAL' | 'DATE' | 'TIME' | 'TIMESTAMP' | 'INT96' | 'INTERVAL' | 'TEXT' | 'BINARY' | 'FIXED' | 'UUID'
  | 'LIST' | 'MAP' | 'STRUCT'

export interface Field {
  name: string
  type: TypeName
  nullable: boolean
  unit?: 'SECOND' | 'MILLI' | 'MICRO' | 'NANO'
  utc?: boolean
  precision?: number
  scale?: number
  width?: number
  children?: Field[]
}

/** INT64 and UINT64 are BigInt if a number would not be exact; DECIMAL and TIME are strings. */
export type Value =
  | null | boolean | number | bigint | string | Date | Uint8Array | Value[] | Map<Value, Value> | { [name: string]: Value }
export type Row = Record<string, Value>

export interface Column {
  type: TypeName
  field: Field
  length: number
  /** A typed array for numbers, BOOL (0, 1), DATE (days), TIME and TIMESTAMP (in the field's unit); otherwise a list. */
  values:
    | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | BigInt64Array | BigUint64Array
    | Float32Array | Float64Array | Value[]
  /** One byte per row, 0 if the value is null; null if all rows have values. */
  valid: Uint8Array | null
}

export interface Batch { length: number, columns: Record<string, Column> }
export type Format = 'csv' | 'csvCrlf' | 'ndjson' | 'table' | 'lines'

/** Options of taco-write.wasm, which is loaded on demand: where it is, if not beside this file. */
export interface WriteOptions { wasm?: OpenOptions['wasm'], maxMemory?: number }

/** Rows of a query. Each call runs the query again. */
export interface Rows extends AsyncIterable<Row> {
  fields (): Promise<Field[]>
  rows (): Promise<Row[]>
  columns (): Promise<Record<string, Column>>
  batches (): AsyncIterable<Batch>
  count (): Promise<number>
  text (format?: Format, options?: WriteOptions): Promise<string>
  /** An Arrow IPC stream. */
  arrow (options?: WriteOptions): Promise<Uint8Array>
  /** A Parquet file, compressed with ZSTD. */
  parquet (options?: WriteOptions): Promise<Uint8Array>
}

export interface Filter {
  /** "cloud < 10 AND split = 'train'" */
  where?: string
  /** west, south, east, north */
  bbox?: [number, number, number, number]
  /** "A", "A/B", or instants: whole UTC days, both included */
  time?: string | Date | [string | Date, string | Date]
  exactTime?: boolean
  geometryColumn?: string
  timeColumn?: string
  level?: number
}

export interface Query extends Filter {
  /** More filters, on other levels. */
  filters?: Filter[]
  /** Level whose rows are returned [that of the filter]. */
  table?: number
  flat?: boolean
  select?: string[] | string
  order?: string
  limit?: number
  offset?: number
  padding?: boolean
  /** Only rows of the table from rowFrom (included) to rowTo (excluded). */
  rowFrom?: number
  rowTo?: number
  /** One SELECT over the rows of the filters, as table `data`. */
  sql?: string
  signal?: AbortSignal
  onRows?: (n: number) => void
}

export interface RunOptions { signal?: AbortSignal, onRows?: (n: number) => void }

/** The output of `taco info --json`. */
export interface Info {
  id: string
  kind: string
  n: number
  levels: { rows: number, columns: unknown[] }[]
  [key: string]: any
}

export interface Payload {
  readonly vsi: string
  readonly file: string
  readonly offset: number
  readonly size: number
  bytes (begin?: number, end?: number, options?: { signal?: AbortSignal }): Promise<Uint8Array>
  /** A slice of the File it lies in, without reading, if there is one. */
  blob (type?: string, options?: { signal?: AbortSignal }): Promise<Blob>
}

export interface Dataset {
  readonly info: Info
  /** Bytes of the sources; null if one of them is a directory. */
  readonly size: number | null
  readonly meter: Progress
  /** Bytes of the module's memory. */
  readonly memory: number
  readonly hasSql: boolean
  collection (key?: string): any
  columns (level?: number, options?: { signal?: AbortSignal }): Promise<Field[]>
  query (query?: Query | string, options?: RunOptions): Rows
  read (path?: string, options?: { padding?: boolean, signal?: AbortSignal }): Rows
  plan (query: Query | string, options: { text: true, signal?: AbortSignal }): Promise<string>
  plan (query?: Query | string, options?: { text?: false, signal?: AbortSignal }): Promise<any>
  payload (path: string, options?: { signal?: AbortSignal }): Promise<Payload>
  payloadOfVsi (vsi: string, options?: { signal?: AbortSignal }): Promise<Payload>
  close (): void
}

/** Opens one dataset, or several as one. The caller closes it. */
export function open (source: Source | Source[], options?: OpenOptions): Promise<Dataset>
