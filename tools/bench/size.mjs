// Checks the size limits of the page, by the compressed files. 1 kB is 1000 bytes. With `--write` the table
// goes into docs/speed.md.
import { readFileSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { report } from './_table.mjs'

const SIGN_IN = /oidc-client-ts|src\/web\/sign-in\/(authorize|sign-in|callback)\./
const WEB = 'dist/web/'
const manifest = JSON.parse(readFileSync(`${WEB}.vite/manifest.json`, 'utf8'))
const keys = Object.keys(manifest)
const LANGUAGES = keys.flatMap((key) => /text\/(\w+)\/first\.ts$/.exec(key)?.[1] ?? [])
const kilobytes = (files, extension = 'gz') =>
  [...files].reduce((sum, file) => sum + statSync(`${WEB}${file}.${extension}`).size, 0) / 1000

const RECORD = ['src/web/organization/fields.tsx']

/** The chunks and everything that they import statically. */
const reach = (from, seen = new Set()) => {
  for (const key of from) if (!seen.has(key)) reach(manifest[key].imports ?? [], seen.add(key))
  return seen
}
const scripts = (chunks) => new Set([...chunks].map((key) => manifest[key].file))
const dictionary = (name, language) => `src/web/text/${language}/${name}.ts`
const largest = (sizeIn) => Math.max(...LANGUAGES.map(sizeIn))

/** The file of a name in vite.config.ts. */
const chunk = (name) => keys.filter((key) => key.startsWith(`_${name}-`) && key.endsWith('.js'))
const first = reach(chunk('first'))
const without = (chunks, others) => new Set([...chunks].filter((key) => !others.has(key)))
/** All files that the sign-in page loads; test/browser/first-paint.test.ts checks that it loads no others. */
const firstLoad = (language) => [...scripts(reach([...first, dictionary('first', language)]))]
/** index.html names it. It is as it was written, and no module. */
const EARLY = gzipSync(readFileSync(`${WEB}early.js`)).length / 1000

const library = new Set(chunk('query'))
const signIn = without(reach(keys.filter((key) => manifest[key].isDynamicEntry && SIGN_IN.test(key))), first)
const signedIn = without(reach(chunk('signed-in')), first)
const sidePages = without(reach(chunk('side-pages')), new Set([...first, ...signedIn]))
const record = without(reach(RECORD), new Set([...first, ...signedIn]))
const styles = new Set(keys.flatMap((key) => [manifest[key].file, ...(manifest[key].css ?? [])]))
/** A dictionary without the words that are in the first one. */
const dictionaryRow = (name) =>
  largest((language) => {
    const loaded = name === 'first' ? first : reach([...first, dictionary('first', language)])
    return kilobytes(scripts(without(reach([dictionary(name, language)]), loaded)))
  })

const rows = [
  { part: 'first load, gzip', kB: EARLY + largest((language) => kilobytes(firstLoad(language))), budget: 90 },
  {
    part: 'first load, Brotli',
    kB: EARLY + largest((language) => kilobytes(firstLoad(language), 'br')),
    budget: 79,
  },
  { part: 'of it, code', kB: kilobytes(scripts(first)), budget: 85.6 },
  { part: 'of it, dictionary', kB: dictionaryRow('first'), budget: 4.8 },
  // The files that a page with a session loads in addition.
  { part: 'signed in, JS', kB: kilobytes(scripts(without(signedIn, library))), budget: 23.4 },
  { part: 'query library', kB: kilobytes(scripts(library)), budget: 11 },
  { part: 'its dictionary', kB: dictionaryRow('home'), budget: 6 },
  // The files of all fields, which load after the record.
  { part: 'all fields, JS', kB: kilobytes(scripts(record)), budget: 4.8 },
  // The files that the pages beside the organization's, and the page of a watch link, load in addition.
  { part: 'side pages', kB: kilobytes(scripts(sidePages)), budget: 11.8 },
  { part: 'their dictionary', kB: dictionaryRow('pages'), budget: 5.8 },
  { part: 'sign-in chunks', kB: kilobytes(scripts(signIn)), budget: 12 },
  { part: 'CSS', kB: kilobytes([...styles].filter((file) => file.endsWith('.css'))), budget: 11 },
]
const over = ({ kB, budget }) => (kB > budget ? '  OVER' : '')
if (process.argv.includes('--write')) {
  const cells = rows.map((row) => [row.part, row.kB.toFixed(1), `${row.budget}${over(row)}`])
  report('size', ['part', 'kB', 'at most'], cells)
} else {
  for (const row of rows)
    console.log(`${row.part.padEnd(20)} ${row.kB.toFixed(1).padStart(5)} of ${row.budget} kB${over(row)}`)
}
if (signIn.size === 0)
  console.log('oidc-client-ts has no chunk of its own: load it with import() in src/web/sign-in/authorize.ts')
const isFirstLoadPlain = [...library].every((key) => !first.has(key)) && library.size > 0
if (!isFirstLoadPlain) console.log('The query library is not in a chunk that only signed-in pages load.')
const isSplit = signIn.size > 0 && signedIn.size > 0 && first.size > 0 && isFirstLoadPlain
process.exitCode = !isSplit || rows.some(({ kB, budget }) => kB > budget) ? 1 : 0
