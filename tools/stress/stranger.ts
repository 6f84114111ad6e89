/** Strangers change no figure of an organization, read nothing of it, and do not fill the database. */
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { STANDARD } from '../../test/kit/app.ts'
import { openPerson, type Person, signIn } from './person.ts'
import { press } from './presses.ts'
import { openSetup, type Setup } from './process.ts'
import type { Report } from './report.ts'
import { bytesOf, claimsBeyond, countRows, rowsOf } from './rows.ts'
import type { Service } from './service.ts'
import { current } from './store-people.ts'
import {
  abandonedSignIns,
  type Attempt,
  forgedCookies,
  guessedCookies,
  wrongKeys,
  wrongOrganization,
} from './stranger-attacks.ts'

const SIGN_IN_LIFETIME_MS = 600_000
/** After it every claim, count and unproven session of the attacks has lapsed. */
const SWEPT_AFTER_MS = 3 * 3_600_000
/**
 * Reasons for which the service does not confirm the organization: the month is used up, or there is an
 * outage.
 */
const REFUSALS = {
  '429': { status: 429, headers: { 'Retry-After': '3600', 'X-RateLimit-Limit': '600' } },
  '503': { status: 503, headers: {} },
}

/** @param rounds guessed session cookies; the other attacks keep their proportion to it */
export async function run(report: Report, rounds = 20_000): Promise<void> {
  const times = (fullRun: number) => Math.ceil((fullRun * rounds) / 20_000)
  const setup = await openSetup({ processes: 1 })
  const victim = openPerson(setup.service, () => current(setup))
  try {
    await signIn(victim, STANDARD)
    for (const path of ['/organizations', `/organizations/${STANDARD}`, '/rate_limit'])
      await press(victim, path)
    const check = watchVictim(report, setup, victim)
    const rowsBefore = countRows(setup.storePath)
    const bytesBefore = bytesOf(setup.storePath)

    await check('forged login cookies', () => forgedCookies(setup, times(100)), { sent: 0 })
    await check('a wrong organization', () => wrongOrganization(setup, times(5)), {})
    for (const [name, refusal] of Object.entries(REFUSALS))
      await check(
        `a wrong organization, the proof answered with ${name}`,
        () => withRefusal(setup.service, refusal, () => wrongOrganization(setup, times(5))),
        { opened: times(5) },
      )
    await check('wrong API keys', () => wrongKeys(setup, times(1000), 'wrong'), { sent: 100 })
    await check(
      'API keys during an outage',
      () => withRefusal(setup.service, REFUSALS['503'], () => wrongKeys(setup, times(50), 'outage')),
      { sent: 50 },
    )
    await check('guessed session cookies', () => guessedCookies(setup, rounds), { sent: 0, answered: 1000 })
    await check('abandoned sign-ins', () => abandonedSignIns(setup, times(400)), { sent: 0, answered: 350 })

    report.counts(
      'afterwards',
      {
        'claims that outlive their sign-in': claimsBeyond(setup.storePath, Date.now() + SIGN_IN_LIFETIME_MS),
        'presses of the victim that fail': (await press(victim, '/organizations')).status === 200 ? 0 : 1,
      },
      { 'claims that outlive their sign-in': 0, 'presses of the victim that fail': 0 },
    )
    const rowsNow = countRows(setup.storePath)
    await current(setup).stop()
    const store = openSqlite(setup.storePath)
    await store.sweep(Date.now() + SWEPT_AFTER_MS)
    await store.close()
    reportRows(report, rowsBefore, rowsNow, countRows(setup.storePath))
    report.line(`the file has ${bytesOf(setup.storePath)} bytes, ${bytesBefore} before`)
  } finally {
    await victim.close()
    await setup.close()
  }
}

interface Expected {
  /** The most requests that may reach the service. */
  sent?: number
  /** The most sessions that may be opened; 0 by default. */
  opened?: number
  /** The most answers other than 429. */
  answered?: number
}

type Check = (what: string, attack: () => Promise<Attempt>, expected: Expected) => Promise<void>

/** Compares the victim's view and the organization's rows before and after each attack. */
function watchVictim(report: Report, { service, storePath }: Setup, victim: Person): Check {
  const look = async () => {
    const { month, pauses, read } = await victim.browser.quota()
    const seen = {
      low: month.low,
      high: month.high,
      limit: month.limit,
      plan: month.plan,
      pauses: pauses.map(({ code }) => code),
      perMinute: read.limit,
    }
    return {
      quota: JSON.stringify(seen),
      rows: rowsOf(storePath, STANDARD),
      month: service.monthOf(STANDARD),
    }
  }
  return async (what, attack, { sent = Infinity, opened = 0, answered = Infinity }) => {
    const [before, arrivedBefore] = [await look(), service.arrived.length]
    const { statuses, withoutRetryAfter, revealing } = await attack()
    const after = await look()
    const others = Object.entries(statuses).filter(([status]) => status !== '429')
    const spread = Object.entries(statuses)
      .map(([status, count]) => `${count} x ${status}`)
      .join(', ')
    if (before.quota !== after.quota) report.line(`${what}: ${before.quota} became ${after.quota}`)
    report.counts(
      `${what} (${spread})`,
      {
        'changed figures': before.quota === after.quota ? 0 : 1,
        'changed rows': before.rows === after.rows ? 0 : 1,
        'requests of the organization': after.month - before.month,
        'requests to the service': service.arrived
          .slice(arrivedBefore)
          .filter(({ path }) => !path.startsWith('/oauth2/login')).length,
        'sessions opened': statuses[201] ?? 0,
        'answers that reveal something': revealing,
        '429 without Retry-After': withoutRetryAfter,
        'answers other than 429': others.reduce((sum, [, count]) => sum + count, 0),
      },
      {
        'changed figures': 0,
        'changed rows': 0,
        'requests of the organization': 0,
        'requests to the service': `<= ${sent}`,
        'sessions opened': `<= ${opened}`,
        'answers that reveal something': 0,
        '429 without Retry-After': 0,
        'answers other than 429': `<= ${answered}`,
      },
    )
  }
}

async function withRefusal<T>(
  service: Service,
  { status, headers }: { status: number; headers: Record<string, string> },
  work: () => Promise<T>,
): Promise<T> {
  service.intercept((request, through, { path }) =>
    path.startsWith('/oauth2/') ? through(request) : Promise.resolve(new Response('{}', { status, headers })),
  )
  try {
    return await work()
  } finally {
    service.intercept(undefined)
  }
}

const ADDED_AT_MOST = 1500
/** The server's own keys, and those of the few tokens that the service issued. */
const LEFT_AT_MOST = 60

function reportRows(
  report: Report,
  before: Record<string, number>,
  now: Record<string, number>,
  swept: Record<string, number>,
): void {
  const growth = (rows: Record<string, number>) =>
    Object.entries(rows).map(([table, count]): [string, number] => [table, count - (before[table] ?? 0)])
  const write = (rows: [string, number][]) =>
    rows
      .filter(([, added]) => added > 0)
      .map(([table, added]) => `${table} ${added}`)
      .join(', ') || 'none'
  const sum = (rows: [string, number][]) => rows.reduce((total, [, added]) => total + Math.max(0, added), 0)
  const [added, left] = [growth(now), growth(swept)]
  report.line(`rows added: ${write(added)}; of them left after a sweep: ${write(left)}`)
  report.counts(
    'the database',
    { 'rows added': sum(added), 'rows left': sum(left) },
    { 'rows added': `<= ${ADDED_AT_MOST}`, 'rows left': `<= ${LEFT_AT_MOST}` },
  )
}
