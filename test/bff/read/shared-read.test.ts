import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Problem, type ProblemBody } from '../../../src/contract/problem.ts'
import { type App, STANDARD } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { until } from '../../kit/until.ts'
import { throughAnother, twoProcesses } from '../../kit/processes.ts'
import { failIn, onCall } from '../../kit/store-methods.ts'
import { unsent } from '../_answers.ts'
import { pair } from '../pairing/_pairing.ts'

const PATH = `/organizations/${STANDARD}`
const shown = ({ status, headers, body }: Awaited<ReturnType<typeof Person.prototype.spend<ProblemBody>>>) =>
  [status, body.code, headers.get('X-Plimsoll-Spent'), headers.get('Age')] as const
const OWN = [200, undefined, '1', null]
const SHARED = [200, undefined, '0', '0']

/** Two processes, and one browser that each of them answers, or two that are paired. */
async function signedIn(sharedForMs: number, isPaired = false) {
  const processes = twoProcesses({ sharedForMs })
  const [first, second] = processes
  const one = first.browser()
  await one.signIn()
  const two = isPaired ? second.browser() : throughAnother(one, second)
  if (isPaired) await pair(one, two)
  const sent = () => processes.flatMap((process) => process.paid()).length
  return { processes, first, second, one, two, sent }
}
const answerBoth = (processes: readonly App[], instead: Parameters<App['intercept']>[0]) => {
  for (const process of processes) process.intercept(instead)
}

test.each([0, 1000])(
  'the same read through two processes at the same time is one request, also where an end is good for %i ms (8.3)',
  async (sharedForMs) => {
    const { processes, one, two, sent } = await signedIn(sharedForMs)
    // The service answers when one has looked again: over a socket one may end before the other begins.
    let looks = 0
    for (const { store, intercept } of processes) {
      onCall(store, 'readClock', () => (looks += 1))
      intercept((request, through) => until(() => looks >= 3).then(() => through(request)))
    }
    for (let round = 1; round <= 5; round += 1) {
      looks = 0
      const answers = await Promise.all([one.spend(PATH), two.spend(PATH)])
      expect(answers[0]?.body).toEqual(answers[1]?.body)
      const own = answers.map(shown).filter(([, , spent]) => spent === '1')
      expect(own).toEqual(sharedForMs === 0 || round === 1 ? [OWN] : [])
      expect(sent()).toBe(sharedForMs === 0 ? 1 + round : 2)
    }
  },
)

test('a read that is asked for again within a second costs nothing in any process, after it one (8.3)', async () => {
  const { first, one, two, sent } = await signedIn(1000)
  expect(shown(await one.spend(PATH))).toEqual(OWN)
  first.advance(999)
  for (const browser of [one, two]) expect(shown(await browser.spend(PATH))).toEqual(SHARED)
  expect(shown(await two.spend('/rate_limit'))).toEqual(OWN)
  first.advance(1)
  expect(shown(await two.spend(PATH))).toEqual(OWN)
  expect(sent()).toBe(4)
})

test('a press that refreshed, and then shares the read of another process, tells its refresh (5.4, 8.3)', async () => {
  const { first, second, one, two } = await signedIn(2 * 3_600_000)
  expect(shown(await one.spend(PATH))).toEqual(OWN)
  first.advance(3_600_000)
  const press = await two.spend(PATH)
  expect(shown(press)).toEqual(SHARED)
  expect(press.headers.get('X-Plimsoll-Refreshed')).toBe('1')
  expect(second.sent.map(({ path }) => path)).toEqual(['/oauth2/token'])
  expect((await one.spend(PATH)).headers.get('X-Plimsoll-Refreshed')).toBeNull()
})

test('the end of a read is there for others until it is a minute old (8.3)', async () => {
  const { first, one, two } = await signedIn(1000)
  expect(shown(await one.spend(PATH))).toEqual(OWN)
  await first.store.sweep(first.now())
  expect(shown(await two.spend(PATH))).toEqual(SHARED)
})

test('a failure is shared as an answer is, with its wait and its reasons, for a second (8.3)', async () => {
  const { processes, first, one, two, sent } = await signedIn(1000)
  const headers = { 'Retry-After': '30' }
  answerBoth(processes, () => Promise.resolve(new Response('{}', { status: 503, headers })))
  const answers = await Promise.all([one.spend(PATH), two.spend(PATH)])
  expect(answers.map(({ body }) => [body.code, body.retry_in_ms])).toEqual(
    answers.map(() => ['upstream_failed', 30_000]),
  )
  first.advance(999)
  const later = await two.spend(PATH)
  expect(later.body.retry_in_ms).toBe(29_001)
  expect(shown(later)).toEqual([502, 'upstream_failed', '0', '0'])
  expect(sent()).toBe(2)
  answerBoth(processes, () => Promise.resolve(new Response('{}', { status: 402 })))
  const { body } = await two.spend('/rate_limit')
  expect((await one.spend('/rate_limit')).body).toMatchObject({ code: body.code, reasons: body.reasons })
  expect(sent()).toBe(3)
})

test('a failure without a wait is shared without one (8.3)', async () => {
  const { processes, one, two, sent } = await signedIn(1000)
  answerBoth(processes, () => Promise.resolve(new Response('', { status: 500 })))
  for (const browser of [one, two]) {
    const { body } = await browser.spend(PATH)
    expect([body.code, 'retry_in_ms' in body]).toEqual(['upstream_failed', false])
  }
  expect(sent()).toBe(2)
})

test('a read that sent nothing is not shared, and the next one may be sent (8.3)', async () => {
  const { processes, one, two, sent } = await signedIn(1000)
  answerBoth(processes, unsent)
  expect((await one.spend(PATH)).body.code).toBe('upstream_down')
  answerBoth(processes, undefined)
  expect(shown(await two.spend(PATH))).toEqual(OWN)
  expect(sent()).toBe(3)
})

test.each([
  ['answers 503', async () => new Response('{}', { status: 503 })],
  ['is not reached', unsent],
])('a refused read that is not sent again leaves nobody waiting: %s (5.4, 8.3)', async (_, atTokens) => {
  const { processes, first, one, two } = await signedIn(1000)
  let reads = 0
  answerBoth(processes, async ({ url }) => {
    if (url.endsWith('/oauth2/token')) return atTokens()
    reads += 1
    return new Response('{}', { status: 401 })
  })
  const codes = (await Promise.all([one.spend(PATH), two.spend(PATH)])).map(({ body }) => body.code)
  expect([...codes, reads]).toEqual(['refresh_failed', 'refresh_failed', 1])
  answerBoth(processes, undefined)
  first.advance(3000)
  expect(shown(await two.spend(PATH))).toEqual(OWN)
})

test('a read whose copy twenty others have removed is sent again, and nobody is signed out (4.4, 8.3)', async () => {
  const processes = twoProcesses({ sharedForMs: 1000 })
  const [first, second] = processes
  answerBoth(processes, (request) => Promise.resolve(Response.json({ url: request.url })))
  const one = first.browser()
  await one.request('POST', '/bff/session', { json: { api_key: 'a-key-of-a-test' } })
  for (let nth = 1; nth <= 21; nth += 1) await one.spend(`/organizations/${nth}`)
  expect(shown(await throughAnother(one, second).spend('/organizations/1'))).toEqual(OWN)
})

/** A process that begins the read, and then neither gets an answer nor records one. */
async function dieWhileReading(process: App, person: Person): Promise<void> {
  let isSent = false
  process.intercept(() => {
    isSent = true
    return new Promise(() => {})
  })
  void person.spend(PATH).catch(() => {})
  await until(() => isSent)
}

test.each([
  ['its lease lapses', 20_000],
  ['the clock is set back by an hour', -3_600_000],
])('if a process dies during a read, another one reads when %s (8.3)', async (_, stepMs) => {
  const { first, second, one, two, sent } = await signedIn(1000)
  await dieWhileReading(second, two)
  await first.store.sweep(first.now())
  let isAnswered = false
  const waiting = one.spend(PATH).finally(() => (isAnswered = true))
  await delay(300)
  expect([isAnswered, sent()]).toEqual([false, 2])
  first.advance(stepMs)
  expect(shown(await waiting)).toEqual(OWN)
})

/** Two reads at the service: one whose lease has lapsed, and the newer one of another process. */
async function lateAndNewer(isPaired?: boolean) {
  const signed = await signedIn(1000, isPaired)
  const { processes, first, one, two } = signed
  const answers: ((name: string) => void)[] = []
  answerBoth(
    processes,
    () => new Promise((resolve) => answers.push((name) => resolve(Response.json({ name })))),
  )
  const late = two.spend<{ name: string; code?: string }>(PATH)
  await until(() => answers.length === 1)
  first.advance(20_000)
  const newer = one.spend<{ name: string }>(PATH)
  await until(() => answers.length === 2)
  const answer = { late: () => answers[0]?.('late'), newer: () => answers[1]?.('newer') }
  return { ...signed, late, newer, answer }
}

test('an answer that comes after its lease has lapsed replaces no newer one (8.3)', async () => {
  const { two, sent, late, newer, answer } = await lateAndNewer()
  answer.late()
  expect((await late).body.name).toBe('late')
  const sharing = two.spend<{ name: string }>(PATH)
  await delay(100)
  answer.newer()
  expect([(await newer).body.name, (await sharing).body.name]).toEqual(['newer', 'newer'])
  expect(sent()).toBe(3)
})

test.each([
  ['one browser', false],
  ['two paired ones', true],
])('nor one that has come before it, for %s (8.3)', async (_, isPaired) => {
  const kept = await lateAndNewer(isPaired)
  kept.answer.newer()
  await kept.newer
  kept.answer.late()
  expect((await kept.late).body.name).toBe('late')
  expect((await kept.two.spend<{ name: string }>(PATH)).body.name).toBe('newer')
  expect((await kept.one.read<{ name: string }>(PATH)).body.name).toBe('newer')
})

test('a press of a paired browser shares the read that is under way, and waits until it is stored (8.3)', async () => {
  const { first, one, two, sent } = await signedIn(0, true)
  let store = (): void => {}
  const stored = new Promise<void>((resolve) => void (store = resolve))
  const { transaction } = first.store
  let begun = 0
  first.store.transaction = async (work) => {
    begun += 1
    if (begun === 2) await stored
    return transaction(work)
  }
  const early = await one.spend(PATH)
  const late = two.spend(PATH)
  await delay(200)
  store()
  expect([shown(early), shown(await late), sent()]).toEqual([OWN, SHARED, 2])
})

test('an answer that comes after a sign-out is none (5, 8.3)', async () => {
  const ended = await lateAndNewer()
  ended.answer.newer()
  await ended.newer
  await ended.one.signOut()
  ended.answer.late()
  expect((await ended.late).body.code).toBe('signed_out')
})

test('a press whose store fails while another one reads takes the read from nobody (8.3)', async () => {
  const { first, second, one, two, sent } = await signedIn(1000)
  await dieWhileReading(first, one)
  let isBroken = true
  onCall(second.store, 'readClock', () => {
    if (isBroken) throw new Problem('store_unavailable')
  })
  expect((await two.spend(PATH)).status).toBe(503)
  isBroken = false
  await second.store.sweep(second.now())
  const waiting = two.spend(PATH)
  await delay(300)
  expect(sent()).toBe(2)
  first.advance(20_000)
  expect(shown(await waiting)).toEqual(OWN)
})

test.each([
  [new Problem('store_unavailable'), 503, 'store_unavailable'],
  [new TypeError('an internal error'), 500, 'unknown'],
])(
  'where a read is not recorded for %s nothing is sent, and another process may read (7, 8.3)',
  async (...row) => {
    const [error, status, code] = row
    const { first, one, two, sent } = await signedIn(1000)
    failIn(first.store, 'addEntry', error)
    expect(shown(await one.spend(PATH)).slice(0, 2)).toEqual([status, code])
    expect(sent()).toBe(1)
    expect(shown(await two.spend(PATH))).toEqual(OWN)
  },
)

test('a paid read is two transactions of the store (8.3)', async () => {
  const { first, one } = await signedIn(0)
  await one.spend(PATH)
  const { transaction } = first.store
  let transactions = 0
  first.store.transaction = (work) => {
    transactions += 1
    return transaction(work)
  }
  const alone = ['writeSession', 'changeNote', 'addEntry', 'settle', 'writeCopy', 'attribute'] as const
  let writes = 0
  for (const name of alone) {
    const method = first.store[name].bind(first.store) as (...of: unknown[]) => unknown
    Object.assign(first.store, { [name]: (...of: unknown[]) => ((writes += 1), method(...of)) })
  }
  expect(shown(await one.spend(PATH))).toEqual(OWN)
  expect([transactions, writes]).toEqual([2, 0])
})
