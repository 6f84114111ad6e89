// Every write of the store fails for a while after a refresh: no token and no paid answer is lost.
import { setTimeout as wait } from 'node:timers/promises'
import { BUSINESS } from '../../test/kit/app.ts'
import { withFault } from './fault.ts'
import { openPerson, signIn } from './person.ts'
import { openSetup, type Setup } from './process.ts'
import { inLanes, ORGANIZATION_PATH, Outcomes, recover } from './recovery.ts'
import type { Report } from './report.ts'

const EXPIRING_SECONDS = 29
const LANES = 4
const FAILS_MS = [200, 1000, 3000, 6000]

/** In every second fault the process gets SIGTERM while the store fails. @returns the number of faults */
export async function failWrites(report: Report, faults: number): Promise<number> {
  const outcomes = new Outcomes()
  const numbers = Array.from({ length: faults }, (_, nth) => nth)
  await inLanes(LANES, numbers, (nth) => oneFailure(outcomes, nth))
  outcomes.write(report, `${faults} times that writes fail after a refresh`, [
    'second refresh',
    'paid answer withheld',
    'ended with an error',
  ])
  return faults
}

async function oneFailure(outcomes: Outcomes, nth: number): Promise<void> {
  const failWritesMs = FAILS_MS[Math.floor(nth / 2) % FAILS_MS.length] ?? 0
  const isStopped = nth % 2 === 0
  const seen = `writes fail for ${failWritesMs} ms${isStopped ? ', SIGTERM meanwhile' : ''}`
  const setup = await openSetup()
  try {
    await failAndRecover(outcomes, setup, { failWritesMs, isStopped, seen })
    await outcomes.check(setup, seen)
  } catch (error) {
    outcomes.wrong('failed', `${seen}: ${String(error)}`)
  } finally {
    await setup.close()
  }
}

async function failAndRecover(
  outcomes: Outcomes,
  setup: Setup,
  { failWritesMs, isStopped, seen }: { failWritesMs: number; isStopped: boolean; seen: string },
): Promise<void> {
  const { service } = setup
  service.lifetimeSeconds.code = EXPIRING_SECONDS
  const app = await setup.start(withFault({ failWritesMs }), 'faulty')
  const person = openPerson(service, app)
  try {
    await signIn(person, BUSINESS)
    const before = service.reads()
    const { status, body } = await person.browser.spend(ORGANIZATION_PATH)
    outcomes.add(`the press that refreshed answered ${status === 200 ? 200 : body.code}`)
    if (service.reads() > before && status !== 200)
      outcomes.wrong('paid answer withheld', `${seen}: ${body.code}`)
    if (!isStopped) {
      await wait(failWritesMs)
      outcomes.recovered(await recover(person), false, seen)
    }
    const code = await app.stop('SIGTERM')
    if (code !== 0) outcomes.wrong('ended with an error', `${seen}: ${code}`)
    person.to = await setup.start()
    outcomes.recovered(await recover(person), false, `${seen}, after the restart`)
    if (service.refreshes() !== 1)
      outcomes.wrong('second refresh', `${seen}: ${service.refreshes()} requests`)
  } finally {
    await person.close()
  }
}
