import { BUSINESS, STANDARD } from '../../test/kit/app.ts'
import { openPerson, type Person, signIn } from './person.ts'
import { isSignedIn, press, type Pressed, pressEverySecond } from './presses.ts'
import type { AppProcess, Setup } from './process.ts'

export const PATH = `/organizations/${BUSINESS}`
const GIVE_UP_AFTER_MS = 30_000
/** An access token of this lifetime is out of date after a second at most. */
const SHORT_LIFETIME_S = 31

export interface People {
  reading: Person
  refreshing: Person
  pressing: Person
  signedOut: Person
  /** Signs in during the fault, at another organization, so that its request can be counted apart. */
  newcomer: Person
}

/** The process that was started last. */
export function current({ apps }: Setup): AppProcess {
  const app = apps.at(-1)
  if (app === undefined) throw new Error('there is no app process')
  return app
}

export function openPeople(setup: Setup): People {
  const open = () => openPerson(setup.service, () => current(setup))
  return { reading: open(), refreshing: open(), pressing: open(), signedOut: open(), newcomer: open() }
}

/** People who had a session before the fault, and must have it afterwards. */
export const signedInBefore = ({ reading, refreshing, pressing }: People): Person[] => [
  reading,
  refreshing,
  pressing,
]

export async function signInAll({ service }: Setup, people: People): Promise<void> {
  for (const person of [people.reading, people.pressing, people.signedOut]) await signIn(person, BUSINESS)
  service.lifetimeSeconds.code = SHORT_LIFETIME_S
  await signIn(people.refreshing, BUSINESS)
  delete service.lifetimeSeconds.code
  const cookies = new Map(people.signedOut.browser.cookies)
  await people.signedOut.browser.signOut()
  // A copy of the cookie must be worthless.
  for (const [name, value] of cookies) people.signedOut.browser.cookies.set(name, value)
}

/** The sign-in of the newcomer. @returns true if it was acknowledged */
export const newcomerSignsIn = ({ newcomer }: People): Promise<boolean> =>
  signIn(newcomer, STANDARD).then(
    () => true,
    () => false,
  )

/** Counts the people who were signed in: those who are signed out now, and those who still are. */
export async function countSignedOut(people: People): Promise<number> {
  const states = await Promise.all(signedInBefore(people).map(isSignedIn))
  return states.filter((isIn) => !isIn).length
}

/** @returns seconds until each person has an answer, infinite if it took too long */
export async function pressUntilUsable(
  people: People,
  sinceMs: number,
): Promise<{ after: Pressed[]; usableAfterS: number }> {
  const isOver = (last: readonly Pressed[]) =>
    last.some(({ status }) => status === 200) || performance.now() - sinceMs > GIVE_UP_AFTER_MS
  const each = await Promise.all(
    signedInBefore(people).map((person) => pressEverySecond(person, [PATH], isOver)),
  )
  const usable = each.map((pressed) => {
    const last = pressed.at(-1)
    return last?.status === 200 ? (last.startedAtMs + last.tookMs - sinceMs) / 1000 : Infinity
  })
  return { after: each.flat(), usableAfterS: Math.max(...usable) }
}

/** Stops the process as planned, starts another one on the same file, and presses once more. */
export async function restart(setup: Setup, people: People): Promise<Pressed[]> {
  if (current(setup).isRunning()) await current(setup).stop()
  await setup.start()
  return Promise.all(signedInBefore(people).map((person) => press(person, PATH)))
}
