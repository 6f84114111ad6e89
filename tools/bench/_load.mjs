// Loads a module of src, compiled.
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const source = (file) => fileURLToPath(new URL(`../../src/${file}`, import.meta.url))

/** @param file below src */
export const load = async (file) =>
  (await runnerImport(source(file), { configFile: false, logLevel: 'error' })).module
