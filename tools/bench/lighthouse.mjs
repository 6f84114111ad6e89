// `npm run bench -- lighthouse`: measures the built app as on a slow phone, three times each page, beside the limits.
// The machine must do nothing else; its load is printed first.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import lighthouse from 'lighthouse'
import { chromium } from 'playwright-core'
import { runnerImport } from 'vite'

const RUNS = Number(process.argv[2] ?? 3)
const LEAST = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100 }
const MOST = {
  'largest-contentful-paint': 1200,
  'total-blocking-time': 200,
  'cumulative-layout-shift': 0.001,
}
const AUDITS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'cumulative-layout-shift',
  'total-blocking-time',
]
const PAGES = [
  { name: 'sign-in', most: MOST },
  { name: 'signed in', most: { ...MOST, 'largest-contentful-paint': 1400 } },
]

const load = async (file) => {
  const path = fileURLToPath(new URL(`../../test/${file}`, import.meta.url))
  return (await runnerImport(path, { configFile: false, logLevel: 'error' })).module
}
const { startAppProcess } = await load('kit/app-process.ts')
const { findBrowser } = await load('kit/browser.ts')

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

async function signIn(context, url) {
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('button', { name: /^Harbour Rope Works/ }).click()
  await page.getByRole('button', { name: /Ada/ }).click()
  await page.getByRole('button', { name: 'Permit' }).click()
  await page.getByRole('heading', { name: 'Harbour Rope Works' }).waitFor()
  await page.close()
}

/** Does the same as Lighthouse's default, but keeps the session. */
async function clearCache(context) {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.clearBrowserCache')
  await page.close()
}

/** The throttling of Lighthouse's `--throttling-method=devtools`: 4 times CPU, 150 ms, 1.6 Mbit/s. */
async function measure(url, port) {
  const { lhr } = await lighthouse(url, {
    port,
    logLevel: 'error',
    formFactor: 'mobile',
    throttlingMethod: 'devtools',
    disableStorageReset: true,
    onlyCategories: Object.keys(LEAST),
  })
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message)
  const failed = Object.entries(LEAST).flatMap(([name, least]) =>
    name !== 'performance' && lhr.categories[name].score * 100 < least
      ? lhr.categories[name].auditRefs.filter(
          ({ id, weight }) => weight > 0 && (lhr.audits[id].score ?? 1) < 1,
        )
      : [],
  )
  return {
    ...Object.fromEntries(Object.keys(LEAST).map((name) => [name, lhr.categories[name].score * 100])),
    ...Object.fromEntries(AUDITS.map((name) => [name, lhr.audits[name].numericValue])),
    failed: failed.map(({ id }) => id),
    largest: lhr.audits['largest-contentful-paint-element']?.details?.items?.[0]?.items?.[0]?.node?.nodeLabel,
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** @returns true if the page is within its limits */
function print({ name, most }, runs) {
  console.log(`\n${name}`)
  const rows = Object.keys(runs[0]).filter((row) => typeof runs[0][row] === 'number')
  const missed = rows.filter((row) => {
    const value = median(runs.map((run) => run[row]))
    const isOver = value > (most[row] ?? Infinity) || value < (LEAST[row] ?? 0)
    const bound = row in LEAST ? `at least ${LEAST[row]}` : row in most ? `at most ${most[row]}` : ''
    const shown = value < 1 ? value.toFixed(3) : value.toFixed(0)
    const each = runs.map((run) => (run[row] < 1 ? run[row].toFixed(3) : run[row].toFixed(0))).join(' ')
    console.log(
      `  ${row.padEnd(25)} ${shown.padStart(6)}  ${bound.padEnd(13)} ${isOver ? 'MISSED ' : ''}(${each})`,
    )
    return isOver
  })
  console.log(`  largest: ${runs.at(-1).largest ?? '-'}`)
  for (const id of new Set(runs.flatMap(({ failed }) => failed))) console.log(`  fails: ${id}`)
  return missed.length === 0
}

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
const running = await startAppProcess()
let context
try {
  const { path, env } = await findBrowser()
  const port = await freePort()
  // Lighthouse opens its own tab, in the context that holds the session.
  context = await chromium.launchPersistentContext(folder, {
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
    env: { ...process.env, ...env },
    locale: 'en-GB',
  })
  console.log(
    `load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  )
  let isMissed = false
  for (const page of PAGES) {
    if (page.name === 'signed in') await signIn(context, running.url)
    const runs = []
    for (let run = 0; run < RUNS; run += 1) {
      await clearCache(context)
      runs.push(await measure(running.url, port))
    }
    if (!print(page, runs)) isMissed = true
  }
  process.exitCode = isMissed ? 1 : 0
} finally {
  await context?.close()
  await running.stop()
  rmSync(folder, { recursive: true, force: true })
}
