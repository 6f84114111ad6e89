import { expect, test } from 'vitest'
import { reserve } from '../../../src/bff/service/ledger.ts'
import { markOthers } from '../../../src/bff/limits/others.ts'
import type { Observation } from '../../../src/contract/rate-limit.ts'
import { startApp, STANDARD } from '../../kit/app.ts'
import { createContext, START_MS } from '../_context.ts'

const PATH = `/organizations/${STANDARD}`
const ENTRY = { token: 'a', kind: 'api.read', method: 'GET', path: PATH, initiator: 'person' } as const
const report = (used: number, changes: Partial<Observation> = {}): Observation => ({
  class: 'read',
  limit: 60,
  remaining: 60 - used,
  servedAtSeconds: START_MS / 1000,
  assumed: false,
  notes: [],
  ...changes,
})

/** Marks reports after requests of organizations, each a number of seconds ago. */
async function marked(
  reports: Observation[],
  sent: [organization: string, ageSeconds: number][],
  claimed?: string,
) {
  const { context, clock } = createContext()
  for (const [organization, ageSeconds] of sent) {
    clock.ms = START_MS - ageSeconds * 1000
    await reserve(context, { ...ENTRY, organization })
  }
  const { countByKind } = context.store
  let counts = 0
  context.store.countByKind = (...of) => {
    counts += 1
    return countByKind(...of)
  }
  const owner = { organization: '1001', ...(claimed !== undefined && { claimed }) }
  const notes = (await markOthers(context, owner, reports)).map((one) => one.notes)
  return { notes, counts }
}
const OTHERS = ['others_on_token']

test.each<[number, [string, number][], string[]]>([
  [2, [['1001', 0]], OTHERS],
  [
    2,
    [
      ['1001', 0],
      ['1001', 62],
    ],
    [],
  ],
  [
    2,
    [
      ['1001', 0],
      ['1001', 63],
    ],
    OTHERS,
  ],
  [
    2,
    [
      ['1001', 0],
      ['1002', 1],
    ],
    OTHERS,
  ],
])('%d used after requests of %j are of others: %j (8.2)', async (used, sent, notes) => {
  expect(await marked([report(used)], sent)).toEqual({ notes: [notes], counts: 1 })
})

test('requests under the name of a session that is not proven count, and those of what it claims (8.3)', async () => {
  expect(
    (
      await marked(
        [report(2)],
        [
          ['1001', 0],
          ['1002', 1],
        ],
        '1002',
      )
    ).notes,
  ).toEqual([[]])
  expect(
    (
      await marked(
        [report(3)],
        [
          ['1001', 0],
          ['1002', 1],
        ],
        '1002',
      )
    ).notes,
  ).toEqual([OTHERS])
})

test.each([
  ['one request is used', report(1)],
  ['the class is assumed', report(9, { assumed: true })],
  ['something about it is odd', report(9, { notes: ['long_window'] })],
  ['no limit is reported', { ...report(9), limit: undefined } as unknown as Observation],
  ['no remaining is reported', { ...report(9), remaining: undefined } as unknown as Observation],
])('where %s nothing is counted, and no one is suspected (8.2)', async (_, observation) => {
  const { notes, counts } = await marked([observation], [])
  expect([notes, counts]).toEqual([[observation.notes], 0])
  expect((await marked([], [])).notes).toEqual([])
})

test('the class of a record that others use is marked (2.2)', async () => {
  const record = [report(1), report(2), report(3, { class: 'update', limit: 15, remaining: 10 })]
  expect(
    (
      await marked(record, [
        ['1001', 0],
        ['1001', 1],
        ['1001', 2],
      ])
    ).notes,
  ).toEqual([[], [], OTHERS])
})

test('the snapshot names others on the token, and none where this app alone has sent (8.2)', async () => {
  for (const shared of ['no', 'yes'] as const) {
    const fixture = startApp({ choices: { shared } })
    const browser = fixture.browser()
    await browser.signIn()
    for (let press = 0; press < 3; press += 1) {
      fixture.advance(10_000)
      await browser.spend(PATH)
    }
    expect((await browser.quota()).read.notes).toEqual(shared === 'yes' ? OTHERS : [])
  }
})
