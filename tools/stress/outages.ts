// Instances and PostgreSQL are killed, stopped, restarted, cut off and failed over under load: nothing
// acknowledged is lost, nobody is signed out, and open pages follow again (5.4, 8.3).
import { setTimeout as wait } from 'node:timers/promises'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import { readEvents, waitAfter } from '../../src/web/quota/stream.ts'
import { BUSINESS } from '../../test/kit/config.ts'
import { until } from '../../test/kit/until.ts'
import { postgresAt, readLedger } from './database.ts'
import { type Fault, OUTAGES } from './faults.ts'
import { balanced } from './harness.ts'
import { openPerson, type Person, signIn, withPeople } from './people.ts'
import { startPostgresPair } from './postgres-pair.ts'
import { isStillSignedIn, openScene, playFault, type Scene } from './pressure.ts'
import type { Report } from './report.ts'

const FULL_KILLS = 50
/** The number of kills of an instance for each other outage. */
const KILLS_PER_OUTAGE = 5
const PEOPLE = 6
const STREAMS = 4
const DOWN_MS = 500
/** Longer than a statement may take. */
const CUT_MS = 8000
const STREAM_BACK_MS = 3000
const GIVE_UP_AFTER_MS = 30_000

/**
 * @param rounds kills of an instance; there are a fifth as many of each other outage. Only the full run says
 *   how soon the streams have to be back
 */
export async function run(report: Report, rounds?: number): Promise<void> {
  const kills = rounds ?? FULL_KILLS
  const postgres = await startPostgresPair()
  const scene = await openScene(postgres)
  try {
    const opened = Array.from({ length: PEOPLE + STREAMS }, () =>
      openPerson(scene.setup.service, balanced(scene.setup)),
    )
    await withPeople(opened, async (people) => {
      for (const person of people) await signIn(person)
      const streams = people.slice(PEOPLE).map((person) => followStream(scene, person))
      for (const [name, outage] of Object.entries(OUTAGES)) {
        const times = name === 'instance killed' ? kills : Math.ceil(kills / KILLS_PER_OUTAGE)
        await playOutage(report, scene, {
          name,
          outage,
          times,
          people,
          streams,
          isTimed: rounds === undefined,
        })
      }
      await Promise.all(streams.map((stream) => stream.close()))
    })
    const { low, high, unproven } = await readLedger(postgresAt(postgres.primary().url()), BUSINESS)
    const truth = scene.setup.service.monthOf(BUSINESS)
    const outside = low <= truth && truth <= high + unproven ? 0 : 1
    const counts = { low, truth, high, unproven, 'outside the interval': outside }
    report.counts('the month', counts, { 'outside the interval': 0 })
  } finally {
    await scene.close()
    await postgres.remove()
  }
}

interface Outages {
  name: string
  outage: Fault
  times: number
  people: readonly Person[]
  streams: Stream[]
  isTimed: boolean
}

/** One person signs in just before each outage and another after it; streams must show the last sign-in. */
async function playOutage(
  report: Report,
  scene: Scene,
  { name, outage, times, people, streams, isTimed }: Outages,
): Promise<void> {
  const counts = { outages: 0, 'sessions lost': 0, 'streams back after ms': 0, 'wrong answers': 0 }
  for (; counts.outages < times; counts.outages += 1) {
    const both = [0, 1].map(() => openPerson(scene.setup.service, balanced(scene.setup)))
    await withPeople(both, async ([before, after]) => {
      await signIn(before as Person)
      let overAtMs = 0
      const timed = {
        ...outage,
        undo: async () => void (await outage.undo(scene), (overAtMs = performance.now())),
      }
      const isCut = name === 'PostgreSQL cut off'
      const following = streamsFollow(scene, after as Person, streams, () => overAtMs)
      const { during } = await playFault(scene, people.slice(0, PEOPLE), timed, isCut ? CUT_MS : DOWN_MS)
      const backMs = Math.round(await following)
      counts['streams back after ms'] = Math.max(counts['streams back after ms'], backMs)
      // A connection that broke is no answer; without its store the app answers 503, and the cookie stays.
      const wrong = during
        .flat()
        .filter(({ status, code }) => ![0, 200].includes(status) && code !== 'store_unavailable')
      for (const { status, code } of wrong) report.line(`wrong: ${status} ${code}`)
      counts['wrong answers'] += wrong.length
      for (const person of [...both, ...people])
        counts['sessions lost'] += (await isStillSignedIn(person)) ? 0 : 1
    })
  }
  const ended = streams.reduce((sum, stream) => sum + stream.signedOut(), 0)
  report.counts(
    name,
    { ...counts, 'sessions ended by a stream': ended },
    {
      'sessions lost': 0,
      ...(isTimed && { 'streams back after ms': `<= ${STREAM_BACK_MS}` }),
      'wrong answers': 0,
      'sessions ended by a stream': 0,
    },
  )
}

/** @returns how long after the outage all streams showed a sign-in that was made after it */
async function streamsFollow(
  { setup }: Scene,
  after: Person,
  streams: readonly Stream[],
  overAtMs: () => number,
): Promise<number> {
  await until(() => overAtMs() > 0, GIVE_UP_AFTER_MS)
  const isOk = (work: Promise<unknown>) =>
    work.then(
      () => true,
      () => false,
    )
  await until(() => isOk(signIn(after)), GIVE_UP_AFTER_MS)
  after.to = balanced(setup)
  let now = NaN
  await until(async () => {
    now = (await after.browser.quota()).month?.high ?? NaN
    return !Number.isNaN(now)
  }, GIVE_UP_AFTER_MS)
  await until(() => streams.every(({ high }) => high() >= now), GIVE_UP_AFTER_MS)
  return performance.now() - overAtMs()
}

interface Stream {
  /** The upper end of the month's count in the last event. */
  high: () => number
  signedOut: () => number
  close: () => Promise<void>
}

/** An open page: follows the event streams of the processes in turn, with the page's waits between them. */
function followStream({ setup }: Scene, { browser }: Person): Stream {
  const over = new AbortController()
  const next = balanced(setup)
  let [high, signedOut] = [0, 0]
  const onEvent = (name: string, data: string): void => {
    if (name === 'session') signedOut += 1
    else high = (JSON.parse(data) as QuotaSnapshot).month.high
  }
  const follow = async (): Promise<boolean> => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { body, ok } = await fetch(`http://127.0.0.1:${next().port}/bff/events`, {
      headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
      signal: over.signal,
    })
    if (ok && body) await readEvents(body, onEvent, () => {}).catch(() => {})
    return ok
  }
  const keepFollowing = async (): Promise<void> => {
    // In production the servers fail less often, so a stream that was open does not count as a failure.
    for (let failures = 1; !over.signal.aborted; failures += 1) {
      if (await follow().catch(() => false)) failures = 1
      await wait(waitAfter(failures, undefined), undefined, { signal: over.signal }).catch(() => {})
    }
  }
  const ended = keepFollowing()
  return {
    high: () => high,
    signedOut: () => signedOut,
    async close() {
      over.abort()
      await ended
    },
  }
}
