// Measures the time from each input to the next frame of the page, with the largest and deepest records.
import type { Page } from 'playwright-core'
import { HOSTILE } from '../../test/browser/_hostile.ts'
import { isLive, openAccountMenu, openAllFields } from '../../test/kit/page.ts'

/** 20,000 rows and 2 MB. */
const LARGE = JSON.stringify({
  name: 'Large',
  members: Array.from({ length: 20_000 }, (_, at) => ({
    id: at,
    name: `Person number ${at}`,
    role: 'member',
    email: `person-${at}@example.org`,
    notes: at % 7 === 0 ? 'away' : null,
  })),
})

/** 2 MB in one text, with markup and direction marks. */
const LARGE_TEXT = JSON.stringify({
  name: 'Large',
  text: `\u202E<script>globalThis.ran=1</script> number 19 `.repeat(45_000),
})

export const RECORDS: Record<string, string> = {
  '20,000 rows and 2 MB': LARGE,
  'a text of 2 MB': LARGE_TEXT,
  '200 levels of objects': HOSTILE['200 levels of objects'] ?? '',
  '200 levels of lists': HOSTILE['200 levels of lists'] ?? '',
  'markup and scripts': HOSTILE['markup and scripts'] ?? '',
}

/** Runs in the page: from each input to the first frame after the page has handled it. */
function countDelays(): void {
  const delays: { type: string; ms: number }[] = []
  Reflect.set(globalThis, 'delays', delays)
  for (const type of ['keydown', 'input', 'click'])
    addEventListener(
      type,
      ({ timeStamp }) =>
        requestAnimationFrame(() => {
          const painted = new MessageChannel()
          painted.port1.addEventListener('message', () =>
            delays.push({ type, ms: performance.now() - timeStamp }),
          )
          painted.port1.start()
          painted.port2.postMessage(undefined)
        }),
      true,
    )
}

/** The longest delay in the best attempt, in ms. @throws Error if an input has no effect */
async function longestDelay(page: Page, act: () => Promise<unknown>, attempts: number): Promise<number> {
  const longest: number[] = []
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    await page.evaluate(() => void (Reflect.get(globalThis, 'delays') as unknown[]).splice(0))
    await act()
    // Everything has been painted by then.
    const delays = await page.evaluate(async () => {
      for (let frames = 0; frames < 3; frames += 1) await new Promise((done) => requestAnimationFrame(done))
      await new Promise((done) => setTimeout(done, 50))
      return (Reflect.get(globalThis, 'delays') as { ms: number }[]).map(({ ms }) => Math.round(ms))
    })
    if (delays.length === 0) throw new Error('an input was not answered')
    longest.push(Math.max(...delays))
  }
  return Math.min(...longest)
}

type Acts = Record<string, () => Promise<unknown>>

async function measure(page: Page, acts: Acts, attempts: number): Promise<Record<string, number>> {
  await isLive(page)
  await page.evaluate(countDelays)
  const found: Record<string, number> = {}
  for (const [what, act] of Object.entries(acts)) found[what] = await longestDelay(page, act, attempts)
  return found
}

/** @param page with one of the records @returns the longest delay of each input, in ms */
export async function measureInput(page: Page, attempts: number): Promise<Record<string, number>> {
  await openAllFields(page)
  const branch = page.locator('section[aria-labelledby=organization] details details > summary').first()
  return measure(page, { branch: () => branch.click() }, attempts)
}

/** The same for what people press most, on a computer this many times slower. */
export async function measurePresses(page: Page, slower: number, attempts: number) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const refresh = page.getByRole('button', { name: /^Refresh/ })
  const back = page.getByRole('link', { name: 'Back to quota and organization' })
  const acts: Acts = {
    'account menu': async () => {
      await openAccountMenu(page)
      await page.keyboard.press('Escape')
    },
    refresh: async () => {
      await refresh.click()
      await refresh.waitFor()
    },
    'a typed count': () => page.getByLabel('Requests used so far').press('7'),
    'Ledger, and back': async () => {
      await page.getByRole('link', { name: 'Ledger', exact: true }).click()
      await back.click()
      await refresh.waitFor()
    },
  }
  return measure(page, acts, attempts)
}
