// A process stops for longer than its lease during a refresh: the other takes over; the late one is harmless.
import { BUSINESS } from '../../test/kit/app.ts'
import { openPerson, type Person, signIn } from './person.ts'
import { type AppProcess, type Setup, withSetup } from './process.ts'
import { ORGANIZATION_PATH, Outcomes, recover } from './recovery.ts'
import type { Report } from './report.ts'
import { openService } from './service.ts'

const EXPIRING_SECONDS = 29
/** Longer than the lease of a refresh, and the time for which it is respected after its end. */
const PAUSED_MS = 55_000

/** The order in which the service answers the two requests that follow from the lost lease. */
const VARIANTS = {
  /**
   * The first is answered before the process continues. The service is strict, so the second ends the grant.
   */
  'answered while it stands still': { isHeld: false, isLost: true, choices: {} },
  /** The first is handled after the second. The service is strict, so the late one ends the grant. */
  'handled after the other one': { isHeld: true, isLost: true, choices: {} },
  /** Both are answered, and each refresh token is valid; no session may end. */
  'both answered': {
    isHeld: true,
    isLost: false,
    choices: { rotation: 'new_old_valid', oldaccess: 'until_expiry' },
  },
} as const

type Variant = (typeof VARIANTS)[keyof typeof VARIANTS]

/** @param sessions of each variant @returns the number of faults */
export async function loseLeases(report: Report, sessions: number): Promise<number> {
  await Promise.all(
    Object.entries(VARIANTS).map(async ([name, variant]) => {
      const outcomes = new Outcomes()
      const service = await openService({ choices: variant.choices })
      try {
        await withSetup({ processes: 2, service }, (setup) => loseAll(outcomes, setup, variant, sessions))
      } catch (error) {
        outcomes.wrong('failed', String(error))
      } finally {
        await service.close()
      }
      outcomes.write(report, `${sessions} leases lost, ${name}`)
    }),
  )
  return sessions * Object.keys(VARIANTS).length
}

async function loseAll(
  outcomes: Outcomes,
  setup: Setup,
  { isHeld, isLost }: Variant,
  sessions: number,
): Promise<void> {
  const { service, apps } = setup
  const [one, other] = apps as [AppProcess, AppProcess]
  service.lifetimeSeconds.code = EXPIRING_SECONDS
  const people = Array.from({ length: sessions }, () => openPerson(service, one))
  try {
    for (const person of people) await signIn(person, BUSINESS)
    const hold = withResolvers()
    const isStopped = withResolvers()
    service.intercept(async (request, through, { grant }) => {
      if (grant !== 'refresh_token' || service.refreshes() > sessions) return through(request)
      if (service.refreshes() === sessions) {
        one.signal('SIGSTOP')
        isStopped.resolve()
      }
      await isStopped.promise
      if (isHeld) await hold.promise
      return through(request)
    })
    const presses = people.map(({ browser }) => browser.spend(ORGANIZATION_PATH).catch(() => undefined))
    await isStopped.promise
    for (const person of people) person.to = other
    const recoveries = people.map((person) => recover(person))
    await new Promise((resolve) => setTimeout(resolve, PAUSED_MS))
    one.signal('SIGCONT')
    hold.resolve()
    for (const recovery of await Promise.all(recoveries))
      outcomes.recovered(recovery, isLost, 'the other process')
    await Promise.all(presses)
    await afterwards(outcomes, setup, people, { one, isLost })
  } finally {
    one.signal('SIGCONT')
    await Promise.all(people.map((person) => person.close()))
  }
}

async function afterwards(
  outcomes: Outcomes,
  setup: Setup,
  people: readonly Person[],
  { one, isLost }: { one: AppProcess; isLost: boolean },
): Promise<void> {
  for (const person of people) {
    person.to = one
    outcomes.recovered(await recover(person), isLost, 'the process that stood still')
  }
  await outcomes.check(setup, 'after the lost leases')
}

/** `Promise.withResolvers`, which Node 20 does not have. */
function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
