// Three processes send the last requests of a month and of a minute: exactly what is left is sent (8.2, 8.3).
import { setTimeout as wait } from 'node:timers/promises'
import { alternate, openPerson, type Person, signIn } from './person.ts'
import { type Setup, withSetup } from './process.ts'
import type { Report } from './report.ts'
import { openService, seedOf } from './service.ts'

const FULL_ROUNDS = 20
const SESSIONS = 20
const PER_MONTH = 100
const PER_MINUTE = 600
const FIRST_STANDARD = 3001
const FIRST_BUSINESS = 5001
const SERVICE_MS = 50

interface Pressed {
  /** The requests that were left, and those that the presses sent. */
  left: number
  sent: number
  'rounds with too many': number
  'rounds with too few': number
  answered: number
  refused: number
  other: number
}

export async function run(report: Report, rounds = FULL_ROUNDS): Promise<void> {
  const service = await openService({ seed: seedWith(rounds) })
  try {
    await withSetup({ processes: 3, service }, async (setup) => {
      service.intercept(async (request, through, { path }) => {
        const response = await through(request)
        // While one is in flight, no answer has told what is left.
        if (path !== '/oauth2/token') await wait(SERVICE_MS)
        return response
      })
      await month(report, setup, rounds)
      await minute(report, setup, rounds)
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

const leftIn = (round: number): number => (round % 4 === 3 ? 5 : 1)

/** Sessions of one organization press at 99 of its month's 100 requests. */
export async function month(report: Report, setup: Setup, rounds: number): Promise<void> {
  const { service, apps } = setup
  const sum = noPress()
  for (let round = 0; round < rounds; round += 1) {
    const id = String(FIRST_STANDARD + round)
    const left = leftIn(round)
    await withPeople(setup, async (people) => {
      for (const person of people) await signIn(person, id)
      await fillLedger(setup, people, id, PER_MONTH - left)
      service.change(({ months }) => {
        const known = months[id]
        if (known === undefined) throw new Error('the sign-ins were not counted')
        known.count = PER_MONTH - left
      })
      for (const person of people) person.to = alternate(apps)
      await press(setup, people, id, left, sum)
    })
  }
  write(report, `${rounds} rounds at the end of the month`, sum)
}

/** Sessions of one API key, which share a minute, press when one read of it is left. */
export async function minute(report: Report, setup: Setup, rounds: number): Promise<void> {
  const { service, apps } = setup
  const sum = noPress()
  for (let round = 0; round < rounds; round += 1) {
    const id = FIRST_BUSINESS + round
    const left = leftIn(round)
    await withPeople(setup, async (people) => {
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
      for (const person of people) person.to = alternate(apps)
      await press(setup, people, String(id), left, sum)
    })
  }
  write(report, `${rounds} rounds at the end of the minute`, sum)
}

/** The people of one round, a third of them at each process. */
async function withPeople(
  { service, apps }: Setup,
  work: (people: Person[]) => Promise<void>,
): Promise<void> {
  const next = alternate(apps)
  const people = Array.from({ length: SESSIONS }, () => openPerson(service, next()))
  try {
    await work(people)
  } finally {
    await Promise.all(people.map((person) => person.close()))
  }
}

/** Adds requests of ten minutes ago to the ledger, until the app's own count has the given value. */
async function fillLedger(
  { database }: Setup,
  people: readonly Person[],
  organization: string,
  height: number,
): Promise<void> {
  const { browser } = people[0] as Person
  const { month } = await browser.quota()
  if (month.limit !== PER_MONTH) throw new Error(`the plan is not known: ${JSON.stringify(month)}`)
  const store = await database.open()
  try {
    const atMs = Date.now() - 600_000
    for (let nth = month.high; nth < height; nth += 1) {
      const id = `filled-${organization}-${nth}`
      await store.addEntry({
        id,
        press: id,
        organization,
        token: 'filled',
        kind: 'api.read',
        method: 'GET',
        path: '/organizations/{id}',
        initiator: 'person',
        atMs,
      })
      await store.settle(id, { outcome: 'settled', status: 200 }, atMs)
    }
  } finally {
    await store.close()
  }
  const filled = (await browser.quota()).month
  if (filled.high !== height) throw new Error(`the app counts ${filled.high} instead of ${height}`)
}

/** Each session reads each path once, all at the same time. */
async function press(
  { service }: Setup,
  people: readonly Person[],
  id: string,
  left: number,
  sum: Pressed,
): Promise<void> {
  const before = service.reads()
  const paths = [`/organizations/${id}`, '/organizations', '/rate_limit']
  const answers = await Promise.all(
    people.flatMap(({ browser }) => paths.map((path) => browser.spend<{ retry_in_ms?: number }>(path))),
  )
  const sent = service.reads() - before
  sum.left += left
  sum.sent += sent
  sum['rounds with too many'] += sent > left ? 1 : 0
  sum['rounds with too few'] += sent < left ? 1 : 0
  for (const { status, body } of answers) {
    if (status === 200) sum.answered += 1
    else if (status === 429 && typeof body.retry_in_ms === 'number') sum.refused += 1
    else sum.other += 1
  }
}

const noPress = (): Pressed => ({
  left: 0,
  sent: 0,
  'rounds with too many': 0,
  'rounds with too few': 0,
  answered: 0,
  refused: 0,
  other: 0,
})

function write(report: Report, what: string, sum: Pressed): void {
  report.counts(
    what,
    { ...sum },
    { sent: sum.left, 'rounds with too many': 0, 'rounds with too few': 0, other: 0 },
  )
}
