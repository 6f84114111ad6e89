// Four processes send the last requests of a month and of a minute: exactly what is left is sent (8.2, 8.3).
import { setTimeout as wait } from 'node:timers/promises'
import { openService, seedOf } from '../../test/kit/strict-service.ts'
import { balanced, type Setup, withSetup } from './harness.ts'
import { openPerson, type Person, signIn, withPeople } from './people.ts'
import type { Report } from './report.ts'

const FULL_ROUNDS = 25
const PER_MONTH = 100
const PER_MINUTE = 600
const FIRST_STANDARD = 3001
const FIRST_BUSINESS = 5001
const SERVICE_MS = 50

export async function run(report: Report, rounds = FULL_ROUNDS): Promise<void> {
  const service = await openService({ seed: seedWith(rounds) })
  try {
    await withSetup({ processes: 4, service }, async (setup) => {
      service.intercept(async (request, through, { path }) => {
        const response = await through(request)
        // While one is in flight, no answer has told what is left.
        if (path !== '/oauth2/token') await wait(SERVICE_MS)
        return response
      })
      await playRounds(report, setup, rounds, MONTH)
      await playRounds(report, setup, rounds, MINUTE)
    })
  } finally {
    await service.close()
  }
}

/** An organization with an API key for each round and plan, so that no round waits for a reset. */
function seedWith(rounds: number) {
  const seed = seedOf()
  const [standard, business] = seed.organizations
  const ada = seed.people.find(({ id }) => id === 'ada')
  if (!standard || !business || !ada) throw new Error('the seed has other records')
  for (let round = 0; round < rounds; round += 1) {
    const ids = [FIRST_STANDARD + round, FIRST_BUSINESS + round] as const
    seed.organizations.push({ ...standard, id: ids[0] }, { ...business, id: ids[1] })
    for (const id of ids) ada.organizations.push({ organization_id: id, role: 'administrator' })
    seed.api_keys.push({ value: apiKeyOf(ids[1]), organization_id: ids[1], issued_by: 'ada' })
  }
  return seed
}

const apiKeyOf = (organization: number): string => `key-of-a-stress-test-${organization}-${'k'.repeat(20)}`

interface Gate {
  what: string
  /** The organization of the first round. */
  first: number
  /** At most 20 for an API key: one more ends the first. */
  sessions: number
  /** Signs the people in, and lets both sides count until so many requests are left. */
  fill: (setup: Setup, people: readonly Person[], id: number, left: number) => Promise<void>
}

const MONTH: Gate = { what: 'month', first: FIRST_STANDARD, sessions: 22, fill: fillMonth }
const MINUTE: Gate = { what: 'minute', first: FIRST_BUSINESS, sessions: 20, fill: fillMinute }

/** Each session reads three paths at the same time when one request is left, or five. */
async function playRounds(
  report: Report,
  setup: Setup,
  rounds: number,
  { what, first, sessions, fill }: Gate,
): Promise<void> {
  const { service } = setup
  const sum = { left: 0, sent: 0, 'too many': 0, 'too few': 0, answered: 0, refused: 0, other: 0 }
  for (let round = 0; round < rounds; round += 1) {
    const [id, left, next] = [first + round, round % 4 === 3 ? 5 : 1, balanced(setup)]
    // The sign-ins of a person go to one process, a quarter of them to each.
    const opened = Array.from({ length: sessions }, () => openPerson(service, next()))
    await withPeople(opened, async (people) => {
      await fill(setup, people, id, left)
      for (const person of people) person.to = balanced(setup)
      const before = service.reads()
      const paths = [`/organizations/${id}`, '/organizations', '/rate_limit']
      const answers = await Promise.all(
        people.flatMap(({ browser }) => paths.map((path) => browser.spend<{ retry_in_ms?: number }>(path))),
      )
      const sent = service.reads() - before
      sum.left += left
      sum.sent += sent
      sum['too many'] += sent > left ? 1 : 0
      sum['too few'] += sent < left ? 1 : 0
      for (const { status, body } of answers)
        if (status === 200) sum.answered += 1
        else sum[status === 429 && typeof body.retry_in_ms === 'number' ? 'refused' : 'other'] += 1
    })
  }
  const expected = { sent: sum.left, 'too many': 0, 'too few': 0, other: 0 }
  report.counts(`${rounds} rounds at the end of the ${what}`, sum, expected)
}

/** Sessions of one organization at the end of its month's 100 requests. */
async function fillMonth(setup: Setup, people: readonly Person[], id: number, left: number): Promise<void> {
  for (const person of people) await signIn(person, String(id))
  await fillLedger(setup, people[0] as Person, String(id), PER_MONTH - left)
  setup.service.change(({ months }) => {
    const known = months[id]
    if (known === undefined) throw new Error('the sign-ins were not counted')
    months[id] = { ...known, count: PER_MONTH - left }
  })
}

/** Sessions of one API key, which share a minute. */
async function fillMinute(
  { service }: Setup,
  people: readonly Person[],
  id: number,
  left: number,
): Promise<void> {
  for (const { browser } of people) {
    const { status } = await browser.request('POST', '/bff/session', { json: { api_key: apiKeyOf(id) } })
    if (status !== 201) throw new Error(`the sign-in with an API key answered ${status}`)
  }
  service.change(({ windows }) => {
    const [known] = Object.entries(windows).flatMap(([by, { read }]) =>
      by.includes(apiKeyOf(id)) && read ? [read] : [],
    )
    if (known === undefined) throw new Error('the sign-ins were not counted')
    known.used = PER_MINUTE - left - 1
  })
  // Now all processes know how many are left.
  const { headers } = await (people[0] as Person).browser.spend(`/organizations/${id}`)
  if (headers.get('X-RateLimit-Remaining') !== String(left)) throw new Error('another number is left')
}

/** Adds requests of ten minutes ago to the ledger, until the app's own count has the given value. */
async function fillLedger(
  { database }: Setup,
  { browser }: Person,
  organization: string,
  height: number,
): Promise<void> {
  const { month } = await browser.quota()
  if (month.limit !== PER_MONTH) throw new Error(`the plan is not known: ${JSON.stringify(month)}`)
  const store = await database.open()
  const atMs = Date.now() - 600_000
  const about = { token: 'filled', kind: 'api.read', method: 'GET', path: '/organizations/{id}' } as const
  for (let nth = month.high; nth < height; nth += 1) {
    const id = `filled-${organization}-${nth}`
    await store.addEntry({ ...about, id, press: id, organization, initiator: 'person', atMs })
    await store.settle(id, { outcome: 'settled', status: 200 }, atMs)
  }
  await store.close()
  const filled = (await browser.quota()).month
  if (filled.high !== height) throw new Error(`the app counts ${filled.high} instead of ${height}`)
}
