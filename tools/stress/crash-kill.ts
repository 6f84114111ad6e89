// kill -9 between all steps of a sign-in, of presses that refresh, and of a sign-out; and during a request.
import { BUSINESS } from '../../test/kit/app.ts'
import { type Fault, isRefreshLost, stepsOf, withFault } from './fault.ts'
import { openPerson, type Person, signIn } from './person.ts'
import { type AppProcess, openSetup, type Setup, withSetup } from './process.ts'
import { inLanes, ORGANIZATION_PATH, Outcomes, recover } from './recovery.ts'
import type { Report } from './report.ts'

const LANES = 4
const EXPIRING_SECONDS = 29

/**
 * The requests of a journey by number, the most important first: a refresh, the code, a read, another read
 * that is refused, and the refresh and the read after it.
 */
const REQUESTS = [3, 1, 2, 4, 5, 6, 7, 8]

/** `signOut` is the only phase after which nothing has to work. */
const PHASES: Record<string, (person: Person, setup: Setup) => Promise<void>> = {
  signIn: (person) => signIn(person, BUSINESS),
  // Each press has its own path, because answers are shared for a while.
  pressThatRefreshes: (person) => press(person, ORGANIZATION_PATH),
  press: (person) => press(person, '/organizations'),
  pressAfterRefusal(person, { service }) {
    service.change((state) => {
      state.access_tokens = {}
    })
    return press(person, '/rate_limit')
  },
  signOut: async ({ browser }) => {
    const { status } = await browser.signOut()
    if (status !== 204) throw new Error(`the sign-out answered ${status}`)
  },
}

async function press({ browser }: Person, path: string): Promise<void> {
  const { status, body } = await browser.spend(path)
  if (status !== 200) throw new Error(`the press answered ${status} ${body.code}`)
}

/** @returns the phase in which the process ended; `undefined` if the journey completed */
async function journey(person: Person, setup: Setup, app: AppProcess): Promise<string | undefined> {
  setup.service.lifetimeSeconds.code = EXPIRING_SECONDS
  for (const [name, act] of Object.entries(PHASES)) {
    try {
      await act(person, setup)
    } catch (error) {
      // A failure counts, unless the process has ended, as it was asked to.
      await Promise.race([app.ended, new Promise((resolve) => setTimeout(resolve, 2000))])
      if (app.isRunning()) throw error
      return name
    }
  }
  return undefined
}

/** @param share of all steps, from 0 to 1 @returns the number of faults */
export async function killAtSteps(report: Report, share = 1): Promise<number> {
  const steps = await countSteps()
  const faults = (['before', 'after'] as const).flatMap((when) =>
    Array.from({ length: steps }, (_, nth): Fault => ({ kill: { step: nth + 1, when } })),
  )
  const chosen = everyNth(faults, share)
  const outcomes = new Outcomes()
  await inLanes(LANES, chosen, (fault) => oneKill(outcomes, fault))
  outcomes.write(report, `${chosen.length} of ${faults.length} kills at a step`)
  return chosen.length
}

/** The number of steps of an undisturbed journey. */
async function countSteps(): Promise<number> {
  let steps = 0
  await withSetup({}, async (setup) => {
    const app = await setup.start({}, 'faulty')
    const person = openPerson(setup.service, app)
    const ended = await journey(person, setup, app)
    if (ended !== undefined) throw new Error(`the journey ended in ${ended}`)
    steps = stepsOf(app).filter((line) => line.startsWith('before')).length
    await person.close()
  })
  return steps
}

async function oneKill(outcomes: Outcomes, fault: Fault): Promise<void> {
  const setup = await openSetup()
  let seen = JSON.stringify(fault.kill)
  try {
    const app = await setup.start(withFault(fault), 'faulty')
    const person = openPerson(setup.service, app)
    const phase = await journey(person, setup, app)
    const steps = stepsOf(app)
    seen += ` in ${phase}: ${steps.at(-1)}`
    if (phase === undefined) outcomes.add('journey was over before')
    else await afterKill(outcomes, setup, person, { phase, isLost: isRefreshLost(steps), seen })
    await person.close()
  } catch (error) {
    outcomes.wrong('failed', `${seen}: ${String(error)}`)
  } finally {
    await setup.close()
  }
}

/** Starts the real server on the same file, and checks what is left. */
async function afterKill(
  outcomes: Outcomes,
  setup: Setup,
  person: Person,
  { phase, isLost, seen }: { phase: string; isLost: boolean; seen: string },
): Promise<void> {
  person.to = await setup.start()
  if (phase === 'signIn') {
    await signIn(person, BUSINESS)
    const { as, answers } = await recover(person)
    if (as === 'works') outcomes.add('no session yet, the next sign-in works')
    else outcomes.wrong('stuck', `${seen}: ${answers.join(', ')}`)
  } else if (phase === 'signOut') {
    const { as, answers } = await recover(person)
    if (as === 'stuck') outcomes.wrong('stuck', `${seen}: ${answers.join(', ')}`)
    else outcomes.add('sign-out done or not')
  } else outcomes.recovered(await recover(person), isLost, seen)
  await outcomes.check(setup, seen)
}

/** Kills during the n-th request, before and after the service handled it. @returns the number of faults */
export async function killAtService(report: Report, share = 1): Promise<number> {
  const faults = [true, false].flatMap((isHandled) => REQUESTS.map((nth) => ({ nth, isHandled })))
  const chosen = everyNth(faults, share)
  const outcomes = new Outcomes()
  await inLanes(LANES, chosen, (fault) => oneKillAtService(outcomes, fault))
  outcomes.write(report, `${chosen.length} kills while a request is at the service`)
  return chosen.length
}

async function oneKillAtService(
  outcomes: Outcomes,
  { nth, isHandled }: { nth: number; isHandled: boolean },
): Promise<void> {
  const setup = await openSetup({ processes: 1 })
  const [app] = setup.apps as [AppProcess]
  const seen = `request ${nth}, ${isHandled ? 'handled' : 'not handled'}`
  let isLost = false
  try {
    setup.service.intercept(async (request, through, { grant }) => {
      const isLast = setup.service.arrived.length === nth
      if (isLast && !isHandled) app.signal('SIGKILL')
      if (isLast && !isHandled) return new Response(null, { status: 500 })
      const response = await through(request)
      if (isLast) app.signal('SIGKILL')
      if (isLast) isLost = grant === 'refresh_token'
      return response
    })
    const person = openPerson(setup.service, app)
    const phase = await journey(person, setup, app)
    setup.service.intercept(undefined)
    if (phase === undefined) outcomes.add('journey was over before')
    else await afterKill(outcomes, setup, person, { phase, isLost, seen })
    await person.close()
  } catch (error) {
    outcomes.wrong('failed', `${seen}: ${String(error)}`)
  } finally {
    await setup.close()
  }
}

export const everyNth = <T>(list: readonly T[], share: number): T[] =>
  list.filter((_, nth) => share >= 1 || Math.floor(nth * share) !== Math.floor((nth - 1) * share))
