// The size limits of the page. Reads the build's manifest; gzip -9, 1 kB is 1000 bytes.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const SIGN_IN = /oidc-client-ts|src\/web\/(authorize|sign-in|callback)\./
const manifest = JSON.parse(readFileSync('dist/web/.vite/manifest.json', 'utf8'))
const keys = Object.keys(manifest)
const gzipped = (file) => gzipSync(readFileSync(`dist/web/${file}`), { level: 9 }).length
const kilobytes = (files) => files.reduce((sum, file) => sum + gzipped(file), 0) / 1000

/** The chunks and all that they import at once. */
const reach = (from, seen = new Set()) => {
  for (const key of from) if (!seen.has(key)) reach(manifest[key].imports ?? [], seen.add(key))
  return seen
}

const first = reach(keys.filter((key) => manifest[key].isEntry))
// Of the dictionaries one is loaded; the largest counts.
const largest = (name) =>
  Math.max(...keys.filter((key) => key.endsWith(`/${name}.ts`)).map((key) => gzipped(manifest[key].file))) /
  1000
const signIn = [...reach(keys.filter((key) => manifest[key].isDynamicEntry && SIGN_IN.test(key)))].filter(
  (key) => !first.has(key),
)
const signedIn = [...reach(keys.filter((key) => /src\/web\/signed-in\./.test(key)))].filter(
  (key) => !first.has(key),
)
const scripts = (chunks) => [...new Set([...chunks].map((key) => manifest[key].file))]
const styles = new Set(keys.flatMap((key) => [manifest[key].file, ...(manifest[key].css ?? [])]))

const rows = [
  { part: 'first load, JS', kB: kilobytes(scripts(first)), budget: 94 },
  { part: 'its dictionary', kB: largest('shared'), budget: 6 },
  // What a page with a session loads beside it.
  { part: 'signed in, JS', kB: kilobytes(scripts(signedIn)), budget: 24 },
  { part: 'its dictionary', kB: largest('signed-in'), budget: 7 },
  { part: 'sign-in chunks', kB: kilobytes(scripts(signIn)), budget: 12 },
  { part: 'CSS', kB: kilobytes([...styles].filter((file) => file.endsWith('.css'))), budget: 10.1 },
]
for (const { part, kB, budget } of rows) {
  console.log(`${part.padEnd(15)} ${kB.toFixed(1).padStart(5)} of ${budget} kB${kB > budget ? '  OVER' : ''}`)
}
if (signIn.length === 0)
  console.log('oidc-client-ts has no chunk of its own: load it with import() in src/web/authorize.ts')
process.exitCode =
  signIn.length === 0 || signedIn.length === 0 || rows.some(({ kB, budget }) => kB > budget) ? 1 : 0
