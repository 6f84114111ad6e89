// A planned stop during a refresh ends in time; the session works on the other process and after the restart.
import { setTimeout as wait } from 'node:timers/promises'
import { BUSINESS } from '../../test/kit/app.ts'
import { openPerson, signIn } from './person.ts'
import { type AppProcess, type Setup, withSetup } from './process.ts'
import { inLanes, ORGANIZATION_PATH, Outcomes, recover } from './recovery.ts'
import type { Report } from './report.ts'

const EXPIRING_SECONDS = 29
const LANES = 3
/** The times from the signal to the answer of the token endpoint. */
const AFTER_SIGNAL_MS = [1500, 400, 0, 3000, 100, 400, 6000, 13_000]
/** A stop takes 10 s at most; the rest is room for a busy machine. A later answer is lost. */
const STOP_MS = 12_000

/** @returns the number of faults */
export async function stopDuringRefresh(report: Report, faults: number): Promise<number> {
  const outcomes = new Outcomes()
  const lanes = Array.from({ length: Math.min(LANES, faults) }, (_, lane) => lane)
  await Promise.all(
    lanes.map((lane) =>
      withSetup({ processes: 2 }, async (setup) => {
        const numbers = Array.from({ length: faults }, (_, nth) => nth).filter(
          (nth) => nth % lanes.length === lane,
        )
        await inLanes(1, numbers, (nth) => oneStop(outcomes, setup, nth))
        await outcomes.check(setup, 'after all stops')
      }),
    ),
  )
  outcomes.write(report, `${faults} stops during a refresh`, [
    'second refresh',
    'stop too long',
    'ended with an error',
  ])
  return faults
}

async function oneStop(outcomes: Outcomes, setup: Setup, nth: number): Promise<void> {
  const { service } = setup
  const [one, other] = setup.apps.filter((app) => app.isRunning()) as [AppProcess, AppProcess]
  const afterMs = AFTER_SIGNAL_MS[nth % AFTER_SIGNAL_MS.length] ?? 0
  const seen = `token endpoint of ${afterMs} ms after the signal`
  const person = openPerson(service, one)
  service.lifetimeSeconds.code = EXPIRING_SECONDS
  try {
    await signIn(person, BUSINESS)
    const before = service.refreshes()
    let startedAtMs = 0
    const answers: Promise<Response>[] = []
    service.intercept(async (request, through, { grant }) => {
      if (grant !== 'refresh_token') return through(request)
      if (service.refreshes() === before + 1) {
        startedAtMs = Date.now()
        one.signal('SIGTERM')
      }
      const isHandledFirst = nth % 2 === 0
      if (!isHandledFirst) await wait(afterMs)
      const answered = through(request)
      answers.push(answered)
      const response = await answered
      if (isHandledFirst) await wait(afterMs)
      return response
    })
    const pressed = await person.browser.spend(ORGANIZATION_PATH).then(
      ({ status, body }) => `its own press answered ${status === 200 ? 200 : body.code}`,
      () => 'its own press got no answer',
    )
    outcomes.add(pressed)
    person.to = other
    // Starts it at once, so that it waits for the process that stops.
    const recovered = recover(person)
    const code = await one.ended
    const tookMs = Date.now() - startedAtMs
    if (tookMs > STOP_MS) outcomes.wrong('stop too long', `${seen}: ${tookMs} ms`)
    const isLost = afterMs > STOP_MS
    if (code !== 0 && !isLost) outcomes.wrong('ended with an error', `${seen}: ${code}`)
    outcomes.recovered(await recovered, isLost, seen)
    service.intercept(undefined)
    // By now the service has finished everything, and the old access token is no longer valid.
    await wait(Math.max(0, startedAtMs + afterMs - Date.now()))
    await Promise.all(answers)
    const requests = service.refreshes() - before
    if (requests !== 1 && !isLost) outcomes.wrong('second refresh', `${seen}: ${requests} requests`)
    person.to = await setup.start()
    outcomes.recovered(await recover(person), isLost, `${seen}, after the restart`)
  } catch (error) {
    outcomes.wrong('failed', `${seen}: ${String(error)}`)
  } finally {
    service.intercept(undefined)
    await person.close()
    if (setup.apps.filter((app) => app.isRunning()).length < 2) await setup.start()
  }
}
