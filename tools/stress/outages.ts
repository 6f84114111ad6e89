/**
 * Instances and PostgreSQL are killed, stopped, restarted, cut off and failed over under load: nothing acknowledged is
 * lost, and nobody is signed out (5.4, 8.3).
 */
import { setTimeout as wait } from 'node:timers/promises'
import { BUSINESS } from '../../test/kit/app.ts'
import { until } from '../../test/kit/until.ts'
import { type Load, newLoad, runClient } from './load-client.ts'
import { openPerson, type Person, signIn } from './person.ts'
import { isSignedIn } from './presses.ts'
import { type AppProcess, type Setup, withSetup } from './process.ts'
import { countReads, type ReadRow, READS } from './ledger-check.ts'
import { type PostgresPair, startPostgresPair } from './postgres-pair.ts'
import type { Report } from './report.ts'
import { followStream, type StreamClient } from './stream-client.ts'

const FULL_KILLS = 50
/** The number of kills of an instance for each other outage. */
const KILLS_PER_OUTAGE = 5
const PEOPLE = 12
const STREAMS = 4
const DOWN_MS = 500
/** Longer than a statement may take. */
const CUT_MS = 8000
const STREAM_BACK_MS = 3000
const GIVE_UP_AFTER_MS = 30_000

interface Scene {
  setup: Setup
  postgres: PostgresPair
}

/** Each resolves when the app could work again. */
const OUTAGES: Record<string, (scene: Scene) => Promise<void>> = {
  async 'instance killed'({ setup }) {
    const [oldest] = running(setup)
    await oldest?.stop('SIGKILL')
  },
  async 'instance stopped'({ setup }) {
    const [oldest] = running(setup)
    if (oldest !== undefined) stopping.add(oldest)
    await oldest?.stop('SIGTERM')
  },
  async 'PostgreSQL killed'({ postgres }) {
    await postgres.primary().stop()
    await wait(DOWN_MS)
    await postgres.primary().start()
  },
  async 'PostgreSQL restarted'({ postgres }) {
    await postgres.primary().stop('SIGINT')
    await wait(DOWN_MS)
    await postgres.primary().start()
  },
  'PostgreSQL cut off': ({ postgres }) => postgres.cut(CUT_MS),
  'PostgreSQL failed over': ({ postgres }) => postgres.failOver(),
}

/** A load balancer leaves them out: their /readyz is 503 from the start of a stop (docs/operations.md). */
const stopping = new WeakSet<AppProcess>()
const running = ({ apps }: Setup): AppProcess[] => apps.filter((app) => app.isRunning() && !stopping.has(app))

/** Goes to the next running process, as behind a load balancer. */
function balanced(setup: Setup): () => AppProcess {
  let requests = 0
  return () => {
    const now = running(setup)
    const app = now[(requests += 1) % now.length]
    if (app === undefined) throw new Error('there is no app process')
    return app
  }
}

const noCounts = () => ({
  outages: 0,
  'sessions lost': 0,
  'streams later than 3 s': 0,
  'longest until a stream was back, ms': 0,
  'longest until a sign-in, ms': 0,
})
type Counts = ReturnType<typeof noCounts>

/** @param kills of an instance; there are a fifth as many of each other outage */
export async function run(report: Report, kills = FULL_KILLS): Promise<void> {
  const postgres = await startPostgresPair()
  try {
    await withSetup({ processes: 2, env: { PLIMSOLL_STORE: postgres.url } }, async (setup) => {
      const people = await openPeople(setup, PEOPLE + STREAMS)
      const next = balanced(setup)
      const streams = people.slice(PEOPLE).map((person) => followStream(person, next))
      const load = newLoad()
      const over = new AbortController()
      const clients = people
        .slice(0, PEOPLE)
        .map((person) => runClient(person, load, () => over.signal.aborted))
      try {
        for (const [name, outage] of Object.entries(OUTAGES)) {
          const times = name === 'instance killed' ? kills : Math.ceil(kills / KILLS_PER_OUTAGE)
          const counts = noCounts()
          for (let nth = 0; nth < times; nth += 1)
            await play({ setup, postgres }, { outage, people, streams, counts })
          const bounds = { outages: times, 'sessions lost': 0, 'streams later than 3 s': 0 }
          report.counts(name, counts, bounds)
        }
      } finally {
        over.abort()
        await Promise.allSettled(clients)
        await Promise.all(streams.map((stream) => stream.close()))
      }
      reportLoad(report, load, streams)
      await reportLedger(report, setup, postgres)
      await Promise.all(people.map((person) => person.close()))
    })
  } finally {
    await postgres.remove()
  }
}

async function openPeople(setup: Setup, count: number): Promise<Person[]> {
  const next = balanced(setup)
  const people = Array.from({ length: count }, () => openPerson(setup.service, next))
  for (const person of people) await signIn(person, BUSINESS)
  return people
}

interface Play {
  outage: (scene: Scene) => Promise<void>
  people: Person[]
  streams: StreamClient[]
  counts: Counts
}

/** The upper end of the month's count, once the next process has its connection to the database again. */
async function readHigh({ browser }: Person): Promise<number> {
  let high = NaN
  await until(async () => {
    const snapshot = await browser.quota()
    if ('month' in snapshot) high = snapshot.month.high
    return !Number.isNaN(high)
  }, GIVE_UP_AFTER_MS)
  return high
}

/** The answer of the first process that has its connection to the database again. */
async function isStillSignedIn(person: Person): Promise<boolean | undefined> {
  let isIn: boolean | undefined
  await until(async () => (isIn = await isSignedIn(person)) !== undefined, GIVE_UP_AFTER_MS)
  return isIn
}

/** One person signs in just before the outage and another after it; streams must show the last sign-in. */
async function play(scene: Scene, { outage, people, streams, counts }: Play): Promise<void> {
  const { setup } = scene
  const [before, after] = [0, 1].map(() => openPerson(setup.service, balanced(setup))) as [Person, Person]
  await signIn(before, BUSINESS)
  await outage(scene)
  const overAtMs = performance.now()
  await until(
    () =>
      signIn(after, BUSINESS).then(
        () => true,
        () => false,
      ),
    GIVE_UP_AFTER_MS,
  )
  const signInMs = performance.now() - overAtMs
  const now = await readHigh(after)
  await until(() => streams.every(({ high }) => high() >= now), GIVE_UP_AFTER_MS)
  const backMs = performance.now() - overAtMs
  counts.outages += 1
  counts['streams later than 3 s'] += backMs > STREAM_BACK_MS ? 1 : 0
  counts['longest until a stream was back, ms'] = Math.max(
    counts['longest until a stream was back, ms'],
    Math.round(backMs),
  )
  counts['longest until a sign-in, ms'] = Math.max(
    counts['longest until a sign-in, ms'],
    Math.round(signInMs),
  )
  if (running(setup).length < 2) await setup.start()
  for (const person of [before, after, ...people])
    counts['sessions lost'] += (await isStillSignedIn(person)) ? 0 : 1
  await Promise.all([before.close(), after.close()])
}

/** If the store does not answer, the answer is 503 and the cookie stays. */
const ALLOWED = / 503 store_unavailable$/

function reportLoad(report: Report, load: Load, streams: readonly StreamClient[]): void {
  const wrong = [...load.wrong].filter(([what]) => !ALLOWED.test(what))
  for (const [what, times] of wrong) report.line(`wrong: ${times} x ${what}`)
  report.line(
    `${load.answered} answers, ${load.paid} of them paid for, the slowest ${Math.round(load.slowestMs)} ms`,
  )
  const counts = {
    'without the store': [...load.wrong].reduce(
      (sum, [what, times]) => sum + (ALLOWED.test(what) ? times : 0),
      0,
    ),
    'wrong answers': wrong.reduce((sum, [, times]) => sum + times, 0),
    'connections broken': load.broken,
    'streams that ended the session': streams.reduce((sum, stream) => sum + stream.signedOut(), 0),
  }
  report.counts('under load', counts, { 'wrong answers': 0, 'streams that ended the session': 0 })
}

/** The service's count stays inside the app's interval (8.3). */
async function reportLedger(report: Report, { service }: Setup, postgres: PostgresPair): Promise<void> {
  const rows = (await postgres.primary().send(READS)) as ReadRow[]
  const { low, high, unproven } = countReads(rows, BUSINESS)
  const truth = service.monthOf(BUSINESS)
  report.counts(
    'the month',
    { low, truth, high, unproven, 'outside the interval': low <= truth && truth <= high + unproven ? 0 : 1 },
    { 'outside the interval': 0 },
  )
}
