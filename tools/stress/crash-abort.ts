// A browser closes the connection during a press that refreshes: the refresh ends, the session works (5.4).
import { setTimeout as wait } from 'node:timers/promises'
import { BUSINESS } from '../../test/kit/app.ts'
import { openPerson, signIn } from './person.ts'
import { type AppProcess, type Setup, withSetup } from './process.ts'
import { inLanes, ORGANIZATION_PATH, Outcomes, recover } from './recovery.ts'
import type { Report } from './report.ts'

const EXPIRING_SECONDS = 29
const LANES = 4
/** The longest answer time of the token endpoint; aborts are spread over a little more. */
const REFRESH_MS = 80
const ABORT_MS = 320

/** Half of the presses after the abort go to the other process. @returns the number of faults */
export async function abortPresses(report: Report, faults: number): Promise<number> {
  const outcomes = new Outcomes()
  await withSetup({ processes: 2 }, async (setup) => {
    const { service } = setup
    service.lifetimeSeconds.code = EXPIRING_SECONDS
    let refreshes = 0
    service.intercept(async (request, through, { grant }) => {
      if (grant !== 'refresh_token') return through(request)
      refreshes += 1
      await wait((refreshes * 13) % (REFRESH_MS / 2))
      const response = await through(request)
      await wait((refreshes * 7) % (REFRESH_MS / 2))
      return response
    })
    const numbers = Array.from({ length: faults }, (_, nth) => nth)
    await inLanes(LANES, numbers, (nth) => oneAbort(outcomes, setup, nth))
    const extra = service.refreshes() - faults
    outcomes.add('refreshes beyond one a session', extra)
    await outcomes.check(setup, 'after all aborts')
  })
  outcomes.write(report, `${faults} browser aborts`, ['refreshes beyond one a session'])
  return faults
}

async function oneAbort(outcomes: Outcomes, { service, apps }: Setup, nth: number): Promise<void> {
  const [one, other] = apps as [AppProcess, AppProcess]
  const person = openPerson(service, one)
  try {
    await signIn(person, BUSINESS)
    const afterMs = (nth * 37) % ABORT_MS
    person.signal = AbortSignal.timeout(afterMs)
    const answered = await person.browser.spend(ORGANIZATION_PATH).then(
      ({ status }) => status,
      () => undefined,
    )
    outcomes.add(answered === undefined ? 'aborted' : 'answered before the abort')
    person.signal = undefined
    person.to = nth % 2 === 0 ? other : one
    outcomes.recovered(
      await recover(person),
      false,
      `abort after ${afterMs} ms, process ${nth % 2 === 0 ? 2 : 1}`,
    )
  } catch (error) {
    outcomes.wrong('failed', String(error))
  } finally {
    await person.close()
  }
}
