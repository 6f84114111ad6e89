import { expect, test } from 'vitest'
import { reserve, settleAnswered, settleUnanswered } from '../../../src/bff/service/ledger.ts'
import { readMonth } from '../../../src/bff/limits/month.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { createContext, START_MS } from '../_context.ts'
import { RESERVATION } from '../_reservation.ts'

test('ids sort by time, and two of one instant differ (8.3)', async () => {
  const { context, clock } = createContext()
  const ids: string[] = []
  for (let ms = 0; ms < 40; ms += 1) {
    ids.push((await reserve(context, RESERVATION)).id)
    clock.ms += 1
  }
  expect(ids.toSorted()).toEqual(ids)
  const [one, other] = [await reserve(context, RESERVATION), await reserve(context, RESERVATION)]
  expect(one.atMs).toBe(other.atMs)
  expect(one.id).not.toBe(other.id)
})

test.each([
  ['that is only recorded', async () => {}, 0, 1, 'reserved'],
  ['that succeeded', (context, id) => settleAnswered(context, id, 200, '{"id":1}'), 1, 1, 'settled'],
  ['that was refused', (context, id) => settleAnswered(context, id, 429, '{}'), 0, 1, 'settled'],
  [
    'with an error under a 200',
    (context, id) => settleAnswered(context, id, 200, '{"error":"over"}'),
    0,
    1,
    'settled',
  ],
  [
    'that may have arrived',
    (context, id) => settleUnanswered(context, id, { sent: true }),
    0,
    1,
    'uncertain',
  ],
  ['that was never sent', (context, id) => settleUnanswered(context, id, { sent: false }), 0, 0, 'void'],
] as [
  string,
  (context: Parameters<typeof reserve>[0], id: string) => Promise<void>,
  number,
  number,
  string,
][])(
  'a request %s counts between %4$d and %5$d, and is recorded so (8.3)',
  async (_, settle, low, high, outcome) => {
    const { context } = createContext()
    await settle(context, (await reserve(context, RESERVATION)).id)
    expect(await readMonth(context, '1001', START_MS)).toMatchObject({ low, high })
    expect(await context.store.countByKind('1001', START_MS)).toMatchObject([{ outcome, count: 1 }])
    expect(await readMonth(context, '2002', START_MS)).toMatchObject({ low: 0, high: 0 })
  },
)

/** A context whose store fails to settle this many times, and the waits between. */
function failing(times: number) {
  const made = createContext()
  const { settle } = made.context.store
  const waits: number[] = []
  let failures = 0
  made.context.store.settle = (...settlement) => {
    failures += 1
    if (failures > times) return settle(...settlement)
    return Promise.reject(new Problem('store_unavailable', { cause: new Error('disk full') }))
  }
  const wait = async (ms: number) => void waits.push(ms)
  return { ...made, context: { ...made.context, wait }, waits }
}

test('a settlement is written again where the store failed, with the time of its answer (8.3)', async () => {
  const { context, log, waits } = failing(6)
  await settleAnswered(context, (await reserve(context, RESERVATION)).id, 200, '{"id":1}')
  expect(await readMonth(context, '1001', START_MS)).toMatchObject({ low: 1, high: 1 })
  expect(log).toEqual([])
  expect(waits.reduce((sum, ms) => sum + ms)).toBeGreaterThan(10_000)
})

test('a settlement that cannot be written at all is logged, and the request counts as sent (8.3)', async () => {
  const { context, log } = failing(7)
  await settleAnswered(context, (await reserve(context, RESERVATION)).id, 200, '{"id":1}')
  expect(await readMonth(context, '1001', START_MS)).toMatchObject({ low: 0, high: 1 })
  expect(log).toEqual([expect.objectContaining({ level: 'warn', event: 'ledger' })])
})
