// Measures the built app as on a slow phone, each page three times. The machine must do nothing else.
// `npm run bench -- lighthouse 5` measures each page five times.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse from 'lighthouse'
import { chromium } from 'playwright-core'
import { kit, measure } from './_measurement.mjs'
import { median, number, report } from './_table.mjs'

const RUNS = Number(process.argv[2] ?? 3)
const LEAST = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100 }
const MOST = {
  'first-contentful-paint': Infinity,
  'largest-contentful-paint': 1200,
  'total-blocking-time': 200,
  'cumulative-layout-shift': 0.001,
}
const PAGES = { 'sign-in': MOST, 'signed in': { ...MOST, 'largest-contentful-paint': 1400 } }

async function openContext(port) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  kit.endLater(() => rmSync(folder, { recursive: true, force: true }))
  const { path, env } = await kit.findBrowser()
  // Lighthouse opens its own tab, in the context that holds the session.
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
    // Without it Chromium on Linux compares all zone files to find its own, which no phone does.
    env: { ...process.env, ...env, TZ: 'UTC' },
    locale: 'en-GB',
  })
  kit.endLater(() => context.close())
  return context
}

async function signIn(context, url) {
  const page = await context.newPage()
  await page.goto(url)
  await kit.signInAtService(page, 'Ada')
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
async function audit(url, port) {
  const { lhr } = await lighthouse(url, {
    port,
    logLevel: 'error',
    formFactor: 'mobile',
    throttlingMethod: 'devtools',
    disableStorageReset: true,
    onlyCategories: Object.keys(LEAST),
  })
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message)
  for (const { auditRefs, score, id: category } of Object.values(lhr.categories))
    for (const { id, weight } of category === 'performance' || score === 1 ? [] : auditRefs)
      if (weight > 0 && (lhr.audits[id].score ?? 1) < 1) console.log(`${category} fails: ${id}`)
  return {
    ...Object.fromEntries(Object.keys(LEAST).map((name) => [name, lhr.categories[name].score * 100])),
    ...Object.fromEntries(Object.keys(MOST).map((name) => [name, lhr.audits[name].numericValue])),
  }
}

/** A row of the table. A value beyond its limit has that beside it. */
function rowOf(name, runs) {
  const cells = Object.keys(runs[0]).map((key) => {
    const value = median(runs.map((run) => run[key]))
    const limit = LEAST[key] ?? PAGES[name][key]
    const isMissed = key in LEAST ? value < limit : value > limit
    if (isMissed) process.exitCode = 1
    return `${number(value, key === 'cumulative-layout-shift' ? 3 : 0)}${isMissed ? `  MISSED ${limit}` : ''}`
  })
  return [name, ...cells]
}

await measure(async () => {
  const { url } = await kit.openApp()
  const port = await kit.freePort()
  const context = await openContext(port)
  const rows = []
  for (const name of Object.keys(PAGES)) {
    if (name === 'signed in') await signIn(context, url)
    const runs = []
    while (runs.length < RUNS) {
      await clearCache(context)
      runs.push(await audit(url, port))
    }
    rows.push(rowOf(name, runs))
  }
  const columns = Object.keys({ ...LEAST, ...MOST }).map((key) => key.replaceAll('-', ' '))
  report('lighthouse', ['page; times in ms', ...columns], rows)
})
