// 500 faults at the moment of a refresh: no token is lost, no session is stuck, and all holds afterwards.
import { setTimeout as wait } from 'node:timers/promises'
import { type AppProcess, inLanes, type Setup, withSetup } from './harness.ts'
import { Outcomes } from './holds.ts'
import { killAtService, killAtSteps, withFault } from './journey.ts'
import { EXPIRING_SECONDS, openPerson, PATHS, type Person, press, recover, signIn } from './people.ts'
import type { Report } from './report.ts'

const FULL_FAULTS = 500
const LANES = 4

/**
 * @param rounds about how many faults; at least one of each kind. A short run leaves out the kills that wait
 * for a lease to lapse, which takes a minute.
 */
export async function run(report: Report, rounds = FULL_FAULTS): Promise<void> {
  const share = Math.min(1, rounds / FULL_FAULTS)
  let faults = await killAtSteps(report, share)
  if (share >= 0.1) faults += await killAtService(report, share)
  for (const [name, { times, play, never = [] }] of Object.entries(AT_REFRESH)) {
    const outcomes = new Outcomes()
    const numbers = Array.from({ length: Math.max(1, Math.round(times * share)) }, (_, nth) => nth)
    await inLanes(LANES, numbers, (nth) => outcomes.of(name, () => play(outcomes, nth)))
    outcomes.write(report, `${numbers.length} times ${name}`, never)
    faults += numbers.length
  }
  faults += await abortPresses(report, Math.max(1, rounds - faults))
  report.line(`${faults} faults`)
}

interface AtRefresh {
  times: number
  never?: string[]
  play: (outcomes: Outcomes, nth: number) => Promise<void>
}

/** Each fault has a setup of its own. */
const AT_REFRESH: Record<string, AtRefresh> = {
  'a planned stop': {
    times: 64,
    never: ['second refresh', 'stop too long', 'ended with an error'],
    play: stop,
  },
  'all writes fail for a while': {
    times: 48,
    never: ['second refresh', 'paid answer withheld', 'ended with an error'],
    play: failWrites,
  },
}

/** The times from the signal to the answer of the token endpoint. */
const AFTER_SIGNAL_MS = [1500, 400, 0, 3000, 100, 400, 6000, 13_000]
/** A stop takes 10 s at most; the rest is room for a busy machine. A later answer is lost. */
const STOP_MS = 12_000

/** The process that refreshes gets SIGTERM; the session works on the other one and after a restart. */
function stop(outcomes: Outcomes, nth: number): Promise<void> {
  const afterMs = AFTER_SIGNAL_MS[nth % AFTER_SIGNAL_MS.length] ?? 0
  const [isLost, isHandledFirst] = [afterMs > STOP_MS, nth % 2 === 0]
  const seen = `token endpoint of ${afterMs} ms after the signal`
  return withSetup({ processes: 2 }, async (setup) => {
    const { service } = setup
    const [stopped, other] = setup.apps as [AppProcess, AppProcess]
    const person = await signInExpiring(setup, stopped)
    let startedAtMs = 0
    service.intercept(async (request, through, { grant }) => {
      if (grant !== 'refresh_token') return through(request)
      if (service.refreshes() === 1) {
        startedAtMs = Date.now()
        stopped.signal('SIGTERM')
      }
      if (!isHandledFirst) await wait(afterMs)
      const response = await through(request)
      if (isHandledFirst) await wait(afterMs)
      return response
    })
    const { status, code } = await press(person, PATHS[0])
    outcomes.add(`its own press got ${status === 0 ? 'no answer' : (code ?? status)}`)
    person.to = other
    // Starts at once, so that it waits for the process that stops.
    const recovered = recover(person)
    const exit = await stopped.ended
    const tookMs = Date.now() - startedAtMs
    if (tookMs > STOP_MS) outcomes.wrong('stop too long', `${seen}: ${tookMs} ms`)
    if (exit !== 0 && !isLost) outcomes.wrong('ended with an error', `${seen}: ${exit}`)
    outcomes.recovered(await recovered, isLost, seen)
    // By now the service has finished everything, and the old access token is no longer valid.
    await wait(Math.max(0, startedAtMs + afterMs + 100 - Date.now()))
    await afterRestart(outcomes, setup, person, { isLost, seen })
  })
}

const FAILS_MS = [200, 1000, 3000, 6000]

/** In every second fault the process gets SIGTERM while its store fails. */
function failWrites(outcomes: Outcomes, nth: number): Promise<void> {
  const failWritesMs = FAILS_MS[Math.floor(nth / 2) % FAILS_MS.length] ?? 0
  const isStopped = nth % 2 === 0
  const seen = `writes fail for ${failWritesMs} ms${isStopped ? ', SIGTERM meanwhile' : ''}`
  return withSetup({}, async (setup) => {
    const app = await setup.start(withFault({ failWritesMs }), 'faulty')
    const person = await signInExpiring(setup, app)
    const before = setup.service.reads()
    const { status, code } = await press(person, PATHS[0])
    outcomes.add(`the press that refreshed got ${code ?? status}`)
    if (setup.service.reads() > before && status !== 200)
      outcomes.wrong('paid answer withheld', `${seen}: ${code}`)
    if (!isStopped) {
      await wait(failWritesMs)
      outcomes.recovered(await recover(person), false, seen)
    }
    const exit = await app.stop()
    if (exit !== 0) outcomes.wrong('ended with an error', `${seen}: ${exit}`)
    await afterRestart(outcomes, setup, person, { isLost: false, seen })
  })
}

async function signInExpiring({ service }: Setup, app: AppProcess): Promise<Person> {
  service.lifetimeSeconds.code = EXPIRING_SECONDS
  const person = openPerson(service, app)
  await signIn(person)
  return person
}

/** The session works at a process that was started now, and one refresh was sent in all. */
async function afterRestart(
  outcomes: Outcomes,
  setup: Setup,
  person: Person,
  { isLost, seen }: { isLost: boolean; seen: string },
): Promise<void> {
  const { service } = setup
  if (service.refreshes() !== 1 && !isLost)
    outcomes.wrong('second refresh', `${seen}: ${service.refreshes()} requests`)
  person.to = await setup.start()
  outcomes.recovered(await recover(person), isLost, `${seen}, after the restart`)
  await outcomes.check(setup, seen)
  await person.close()
}

/** The longest answer time of the token endpoint; aborts are spread over a little more. */
const REFRESH_MS = 80
const ABORT_MS = 320

/** A browser closes the connection; half of the presses after it go to the other process. */
async function abortPresses(report: Report, times: number): Promise<number> {
  const outcomes = new Outcomes()
  await withSetup({ processes: 2 }, async (setup) => {
    const { service, apps } = setup
    service.intercept(async (request, through, { grant }) => {
      if (grant !== 'refresh_token') return through(request)
      const refreshes = service.refreshes()
      await wait((refreshes * 13) % (REFRESH_MS / 2))
      const response = await through(request)
      await wait((refreshes * 7) % (REFRESH_MS / 2))
      return response
    })
    const abort = async (nth: number): Promise<void> => {
      const person = await signInExpiring(setup, apps[0] as AppProcess)
      person.signal = AbortSignal.timeout((nth * 37) % ABORT_MS)
      const { status } = await press(person, PATHS[0])
      outcomes.add(status === 0 ? 'aborted' : 'answered before the abort')
      person.signal = undefined
      person.to = apps[nth % 2] as AppProcess
      outcomes.recovered(await recover(person), false, `abort after ${(nth * 37) % ABORT_MS} ms`)
      await person.close()
    }
    const numbers = Array.from({ length: times }, (_, nth) => nth)
    await inLanes(LANES, numbers, (nth) => outcomes.of('abort', () => abort(nth)))
    outcomes.add('refreshes beyond one a session', service.refreshes() - times)
    await outcomes.check(setup, 'after all aborts')
  })
  outcomes.write(report, `${times} browser aborts`, ['refreshes beyond one a session'])
  return times
}
