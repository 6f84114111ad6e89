/** The whole journey of a client at one service, in virtual time: what happens in which order, and what has to come of it. */
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import { API_KEY, type Breaker, CLIENT_ID, openHouse } from './house.ts'
import { type Ending, Person } from './person.ts'
import type { Recording } from './recording.ts'
import { ADA, DAY, HOUR, MINUTE, SECOND, Traveller } from './traveller.ts'

export interface JourneyOptions {
  /** Uses every limit up by itself; otherwise others, with the same token, use most of it. */
  thorough?: boolean
  breakClient?: Breaker
}

/** The order in which it all happens. */
const STEPS: readonly Step[] = [
  misconfigured,
  signIn,
  earlierThisMonth,
  read,
  idle,
  exhaustMinute,
  expire,
  losesAccessToken,
  exhaustMonth,
  nextMonth,
  serviceTrouble,
  fortnight,
  denied,
  otherOrganization,
  revoked,
  signOut,
  byKey,
]

type Step = (traveller: Traveller, options: JourneyOptions) => Promise<void>

export async function runJourney(choices: Choices, options: JourneyOptions = {}): Promise<Recording> {
  const house = openHouse(choices, options.breakClient)
  const traveller = new Traveller(house)
  try {
    for (const step of STEPS) await step(traveller, options)
    traveller.finish(options)
  } catch (error) {
    house.recording.faults.push(`it broke off: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await house.close()
  }
  return house.recording
}

async function earlierThisMonth(traveller: Traveller, { thorough }: JourneyOptions): Promise<void> {
  if (!thorough) await traveller.noting(traveller.earlier, () => traveller.spendEarlier())
}

async function signIn(traveller: Traveller): Promise<void> {
  await traveller.signIn('sign in')
}

/** A client id that the service does not know: whatever it shows, the sign-in can be started again. */
async function misconfigured(traveller: Traveller): Promise<void> {
  const ending = await new Person(traveller.house).signIn(traveller.standard, ADA, ({ searchParams }) =>
    searchParams.set('client_id', 'nobody'),
  )
  if (ending.end === 'ok') traveller.fault('an unknown application was signed in')
  await traveller.checked('unknown application', ending, traveller.me)
}

async function read(traveller: Traveller): Promise<void> {
  await traveller.expectEnd('first screen', 'ok', await traveller.me.look(traveller.path))
  await traveller.expectEnd('read', 'ok', await traveller.me.press(traveller.path))
  await traveller.expectEnd('limits', 'ok', await traveller.me.press('/rate_limit'))
  await traveller.checkMonth('after reading')
}

/** An open page costs nothing. */
async function idle(traveller: Traveller): Promise<void> {
  for (let visits = 0; visits < 2; visits += 1) {
    traveller.house.advance(24 * MINUTE)
    await traveller.me.session()
    await traveller.me.look(traveller.path)
  }
}

/** Uses the minute up just before the access token goes stale, so that a fresh one could be mistaken for a fresh minute. */
async function exhaustMinute(traveller: Traveller, options: JourneyOptions): Promise<void> {
  const lastToken = traveller.house.recording.calls.findLast(({ path }) => path === '/oauth2/token')
  const staleAtMs = (lastToken?.sentAtMs ?? traveller.house.now()) + HOUR - 75 * SECOND
  if (traveller.house.now() < staleAtMs) traveller.house.advance(staleAtMs - traveller.house.now())
  await traveller.expectEnd('before the minute', 'ok', await traveller.me.press(traveller.path))
  if (!options.thorough) await traveller.noting(traveller.others, () => traveller.othersUse(50))
  // Where somebody else spends as much, the month would not last.
  const most = options.thorough ? (traveller.house.recording.choices.shared === 'yes' ? 31 : 63) : 16
  let ending: Ending = { end: 'ok' }
  for (let presses = 0; presses < most && ending.end === 'ok'; presses += 1) {
    traveller.house.advance(100)
    ending = await traveller.me.press(traveller.path)
  }
  await traveller.checked('minute used up', ending, traveller.me)
  for (const ms of [SECOND, SECOND, 35 * SECOND]) {
    traveller.house.advance(ms)
    await traveller.checked('pressed meanwhile', await traveller.me.press(traveller.path), traveller.me)
  }
  await traveller.waitOut()
  const tabs = [traveller.path, '/rate_limit', traveller.path].map((path) => traveller.me.press(path))
  for (const one of await Promise.all(tabs))
    await traveller.checked('three tabs after the reset', one, traveller.me)
  traveller.house.advance(62 * SECOND)
  await traveller.expectEnd('after the minute', 'ok', await traveller.me.press(traveller.path))
  await traveller.checkMonth('after the minute')
}

async function expire(traveller: Traveller): Promise<void> {
  traveller.house.advance(HOUR + MINUTE)
  const tabs = [traveller.path, '/rate_limit'].map((path) => traveller.me.press(path))
  for (const one of await Promise.all(tabs)) await traveller.checked('expired', one, traveller.me)
  traveller.house.advance(62 * SECOND)
  await traveller.again('after the expiry')
}

/** The service forgets the access token before its time. */
async function losesAccessToken(traveller: Traveller): Promise<void> {
  traveller.house.edit((state) => {
    state.access_tokens = {}
  })
  await traveller.checked('access token lost', await traveller.me.press(traveller.path), traveller.me)
  traveller.house.advance(62 * SECOND)
  await traveller.again('after the loss')
}

async function exhaustMonth(traveller: Traveller): Promise<void> {
  // Others may have used it up before.
  const wasOver = traveller.house.isMonthOver()
  await traveller.checkMonth('before the month is used up')
  let ending: Ending = { end: 'ok' }
  for (let presses = 0; presses < 100 && ending.end === 'ok'; presses += 1) {
    traveller.house.advance(3 * SECOND)
    ending = await traveller.me.press(traveller.path)
  }
  await traveller.checked('month used up', ending, traveller.me)
  // Only where the app itself has spent the month can it know what else than a 429 may mean.
  const { monthly } = traveller.house.recording.choices
  const canKnow = monthly === 'status_429' || monthly === 'status_402' || traveller.count() >= 90
  if (!wasOver && canKnow && ending.code !== 'month_suspected' && ending.code !== 'signed_out')
    traveller.fault(`the end of the month is told as ${ending.code}`)
  const wasSignedIn = await traveller.me.isSignedIn()
  for (const ms of [SECOND, 2 * MINUTE, HOUR]) {
    traveller.house.advance(ms)
    if (wasSignedIn && !(await traveller.me.isSignedIn()))
      traveller.fault('the end of the month signed the person out')
    await traveller.checked('pressed all the same', await traveller.me.press(traveller.path), traveller.me)
  }
  await traveller.checkMonth('month used up')
}

async function nextMonth(traveller: Traveller): Promise<void> {
  const [first, last] = [Date.UTC(2026, 11, 1, 2), Date.UTC(2026, 11, 2, 14)]
  while (traveller.house.now() < last) {
    traveller.house.advance(Math.min(17 * HOUR, last - traveller.house.now()))
    await traveller.me.session()
    // By a clock that is a day ahead the month is over a day too early, which nobody could know.
    if (traveller.house.now() >= first && traveller.house.recording.choices.skew !== 'plus_1_day')
      await traveller.checkMonth('around the new month')
  }
  await traveller.again('next month')
  await traveller.checkMonth('next month')
}

/** Two weeks in which the page is only looked at. */
async function fortnight(traveller: Traveller): Promise<void> {
  for (let days = 0; days < 15; days += 5) {
    traveller.house.advance(5 * DAY)
    await traveller.me.session()
  }
  await traveller.again('after two weeks')
}

async function denied(traveller: Traveller): Promise<void> {
  const other = new Person(traveller.house)
  const ending = await other.signIn(traveller.standard, { person: 'Ben', decision: 'Deny' })
  if (ending.end === 'ok') traveller.fault('a denied sign-in was signed in')
  await traveller.checked('denied', ending, other)
}

/** A person who is no member of the organization they ask for. */
async function otherOrganization(traveller: Traveller): Promise<void> {
  const { wrongorg } = traveller.house.recording.choices
  const other = new Person(traveller.house)
  const ending = await other.signIn(traveller.business, { person: 'Ben', decision: 'Permit' })
  // A service that serves what the token is not for gives nobody anything to notice.
  if (ending.end === 'ok' && wrongorg !== 'served_200') traveller.fault('signed in to another organization')
  await traveller.checked('other organization', ending, other)
}

async function revoked(traveller: Traveller): Promise<void> {
  const { applications } = traveller.house.look().state
  traveller.house.edit((state) => {
    state.applications = state.applications.filter(({ client_id }) => client_id !== CLIENT_ID)
    state.access_tokens = {}
    state.refresh_tokens = {}
  })
  for (const ms of [SECOND, HOUR, HOUR]) {
    traveller.house.advance(ms)
    await traveller.checked('revoked', await traveller.me.press(traveller.path), traveller.me)
  }
  traveller.house.edit((state) => {
    state.applications = applications
  })
}

async function signOut(traveller: Traveller): Promise<void> {
  const before = new Map(traveller.me.cookies)
  await traveller.expectEnd('sign out', 'ok', await traveller.me.signOut())
  if (await traveller.me.isSignedIn()) traveller.fault('signed in after the sign-out')
  for (const [name, value] of before) traveller.me.cookies.set(name, value)
  if (await traveller.me.isSignedIn()) traveller.fault('the old cookie outlives the sign-out')
  traveller.me.cookies.clear()
}

async function byKey(traveller: Traveller): Promise<void> {
  const ending = await traveller.me.signInByKey(API_KEY)
  await traveller.expectEnd('key', 'ok', ending)
  await traveller.expectEnd('key: read', 'ok', await traveller.me.press('/organizations'))
  await traveller.checked('key: limits', await traveller.me.press('/rate_limit'), traveller.me)
  traveller.house.edit((state) => {
    state.api_keys = state.api_keys.filter(({ value }) => value !== API_KEY)
  })
  traveller.house.advance(62 * SECOND)
  for (let presses = 0; presses < 2; presses += 1)
    await traveller.checked('key deleted', await traveller.me.press('/organizations'), traveller.me)
  await traveller.expectEnd('key: sign out', 'ok', await traveller.me.signOut())
}

/** Every sort of trouble that a service can have, once each, and the answer to a refresh that is lost on its way. */
async function serviceTrouble(traveller: Traveller): Promise<void> {
  const { house, me, path } = traveller
  for (const kind of ['server_error', 'html', 'garbage', 'truncate', 'lost']) {
    house.fault({ operation: 'organization', kind })
    await traveller.checked(`trouble: ${kind}`, await me.press(path), me)
    house.advance(MINUTE)
  }
  house.advance(HOUR)
  house.fault({ operation: 'token', kind: 'lost' })
  await traveller.checked('refresh lost', await me.press(path), me)
  house.advance(MINUTE)
  await traveller.again('after the lost refresh')
}
