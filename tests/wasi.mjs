// wasi.mjs PROGRAM.wasm ARGUMENT... - runs a program for WASI in Node, with the directory it was started in, and /tmp.
import { readFile } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { WASI } from "node:wasi";

// Node crashes when a program ends that has made many calls this way (nodejs/node#53087).
setFlagsFromString("--no-turbo-fast-api-calls");
const wasi = new WASI({ version: "preview1", args: process.argv.slice(2), env: process.env, preopens: { ".": ".", "/tmp": "/tmp" }, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(process.argv[2]));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
