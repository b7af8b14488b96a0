// writer.js - the module that writes Parquet, as a script that main.js loads on demand
import module from '../wasm/taco-write.wasm'

globalThis.tacoWriter = module
