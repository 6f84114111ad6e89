// A sign-in, presses that refresh, and a sign-out, killed between all their steps and during their requests.
import { SESSION_COOKIE } from '../../test/kit/config.ts'
import { type AppProcess, inLanes, type Setup, withSetup } from './harness.ts'
import { Outcomes } from './holds.ts'
import { EXPIRING_SECONDS, openPerson, PATHS, type Person, press, recover, signIn } from './people.ts'
import type { Report } from './report.ts'

const LANES = 4

/** Faults that the faulty app makes if it is told to. */
export interface StepFault {
  /** It kills itself with SIGKILL at the step of this number, counted from its start. */
  kill?: { step: number; when: 'before' | 'after' }
  /** It kills itself at the n-th step of this name. */
  killAtCall?: { call: string; nth: number; when: 'before' | 'after' }
  /** After each answer to a refresh, every write of its store fails for so long. */
  failWritesMs?: number
}

export const withFault = (fault: StepFault): Record<string, string> => ({
  STRESS_FAULT: JSON.stringify(fault),
})

const stepsOf = (app: AppProcess): string[] =>
  app
    .output()
    .split('\n')
    .filter((line) => /^(before|after|killed) /.test(line))

/** True if the app sent a refresh and ended before it stored the tokens: that answer is lost in any case. */
function isRefreshLost(steps: readonly string[]): boolean {
  const sent = steps.findLastIndex((line) => /^(before|killed after) \d+ upstream \S+ refresh/.test(line))
  return sent !== -1 && !steps.slice(sent).some((line) => / \d+ finish done$/.test(line))
}

/** The requests of a journey by number, the most important first: a refresh, the code, reads, a refusal. */
const REQUESTS = [3, 1, 2, 4, 5, 6, 7, 8]

async function read(person: Person, path: string): Promise<void> {
  const { status, code } = await press(person, path)
  if (status !== 200) throw new Error(`the press answered ${status} ${code}`)
}

/** `signOut` is the only phase after which nothing has to work. */
const PHASES: Record<string, (person: Person, setup: Setup) => Promise<void>> = {
  signIn: (person) => signIn(person),
  pressThatRefreshes: (person) => read(person, PATHS[0]),
  press: (person) => read(person, PATHS[1]),
  pressAfterRefusal(person, { service }) {
    service.change((state) => {
      state.access_tokens = {}
    })
    return read(person, PATHS[2])
  },
  signOut: async ({ browser }) => {
    const { status } = await browser.signOut()
    if (status !== 204) throw new Error(`the sign-out answered ${status}`)
    if (browser.cookies.has(SESSION_COOKIE)) throw new Error('the sign-out left the cookie')
  },
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

/** Starts an app to kill. `told` says what was seen, and whether the answer to a refresh is lost. */
type Kill = (setup: Setup) => Promise<{ app: AppProcess; told: () => { seen: string; isLost: boolean } }>

const atStep =
  (kill: NonNullable<StepFault['kill']>): Kill =>
  async (setup) => {
    const app = await setup.start(withFault({ kill }), 'faulty')
    const told = () => ({ seen: `${stepsOf(app).at(-1)}`, isLost: isRefreshLost(stepsOf(app)) })
    return { app, told }
  }

/** Kills during the n-th request, before or after the service has handled it. */
const atService =
  (nth: number, isHandled: boolean): Kill =>
  async (setup) => {
    const app = await setup.start()
    let isLost = false
    setup.service.intercept(async (request, through, { grant }) => {
      const isLast = setup.service.arrived.length === nth
      if (isLast && !isHandled) app.signal('SIGKILL')
      if (isLast && !isHandled) return new Response(null, { status: 500 })
      const response = await through(request)
      if (isLast) {
        app.signal('SIGKILL')
        isLost = grant === 'refresh_token'
      }
      return response
    })
    return { app, told: () => ({ seen: `request ${nth}, ${isHandled ? '' : 'not '}handled`, isLost }) }
  }

/** @param share of all steps, from 0 to 1 @returns the number of faults */
export async function killAtSteps(report: Report, share: number): Promise<number> {
  const steps = await countSteps()
  const kills = (['before', 'after'] as const).flatMap((when) =>
    Array.from({ length: steps }, (_, nth) => atStep({ step: nth + 1, when })),
  )
  return killAll(report, 'kills at a step', kills, share)
}

/** Each waits until the lease of the killed process has lapsed. @returns the number of faults */
export const killAtService = (report: Report, share: number): Promise<number> => {
  const kills = [true, false].flatMap((isHandled) => REQUESTS.map((nth) => atService(nth, isHandled)))
  return killAll(report, 'kills while a request is at the service', kills, share)
}

async function killAll(report: Report, what: string, all: Kill[], share: number): Promise<number> {
  const chosen = all.filter(
    (_, nth) => share >= 1 || Math.floor(nth * share) !== Math.floor((nth - 1) * share),
  )
  const outcomes = new Outcomes()
  await inLanes(LANES, chosen, (kill) =>
    outcomes.of(what, () => withSetup({}, (setup) => one(outcomes, setup, kill))),
  )
  outcomes.write(report, `${chosen.length} of ${all.length} ${what}`)
  return chosen.length
}

/** The number of steps of an undisturbed journey. */
const countSteps = (): Promise<number> =>
  withSetup({}, async (setup) => {
    const app = await setup.start({}, 'faulty')
    const ended = await journey(openPerson(setup.service, app), setup, app)
    if (ended !== undefined) throw new Error(`the journey ended in ${ended}`)
    return stepsOf(app).filter((line) => line.startsWith('before')).length
  })

/** Kills, starts another process on the same data, and looks what is left. */
async function one(outcomes: Outcomes, setup: Setup, kill: Kill): Promise<void> {
  const { app, told } = await kill(setup)
  const person = openPerson(setup.service, app)
  const phase = await journey(person, setup, app)
  setup.service.intercept(undefined)
  const { seen, isLost } = told()
  if (phase === undefined) return outcomes.add('journey was over before')
  person.to = await setup.start()
  if (phase === 'signIn') await signIn(person)
  const recovery = await recover(person)
  const isOver = phase === 'signOut' && recovery.as === 'signed out'
  if (isOver) outcomes.add('signed out before the kill')
  else outcomes.recovered(recovery, isLost && phase !== 'signIn', `in ${phase}, ${seen}`)
  await outcomes.check(setup, seen)
  await person.close()
}
