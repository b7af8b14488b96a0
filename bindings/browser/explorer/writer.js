// writer.js - the module that writes Parquet, as a script that main.js loads when rows are saved as one.
import module from '../wasm/taco-write.wasm'

globalThis.tacoWriter = module
