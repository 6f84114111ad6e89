/** The whole journey of a client at one service, in virtual time: what happens in which order, and what has to come of it. */
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import { API_KEY, type Breaker, CLIENT_ID, openContext } from './context.ts'
import { type Ending, User } from './user.ts'
import type { Recording } from './recording.ts'
import { ADA, DAY, HOUR, MINUTE, SECOND, Journey } from './journey.ts'

export interface JourneyOptions {
  /** Uses every limit up by itself; otherwise others, with the same token, use most of it. */
  unaided?: boolean
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

type Step = (journey: Journey, options: JourneyOptions) => Promise<void>

export async function runJourney(choices: Choices, options: JourneyOptions = {}): Promise<Recording> {
  const context = openContext(choices, options.breakClient)
  const journey = new Journey(context)
  try {
    for (const step of STEPS) await step(journey, options)
    journey.finish(options)
  } catch (error) {
    context.recording.faults.push(`it broke off: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await context.close()
  }
  return context.recording
}

async function earlierThisMonth(journey: Journey, { unaided }: JourneyOptions): Promise<void> {
  if (!unaided) await journey.noting(journey.earlier, () => journey.spendEarlier())
}

async function signIn(journey: Journey): Promise<void> {
  await journey.signIn('sign in')
}

/** A client id that the service does not know: whatever it shows, the sign-in can be started again. */
async function misconfigured(journey: Journey): Promise<void> {
  const ending = await new User(journey.context).signIn(journey.standard, ADA, ({ searchParams }) =>
    searchParams.set('client_id', 'nobody'),
  )
  if (ending.end === 'ok') journey.fault('an unknown application was signed in')
  await journey.checked('unknown application', ending, journey.me)
}

async function read(journey: Journey): Promise<void> {
  await journey.expectEnd('first screen', 'ok', await journey.me.look(journey.path))
  await journey.expectEnd('read', 'ok', await journey.me.press(journey.path))
  await journey.expectEnd('limits', 'ok', await journey.me.press('/rate_limit'))
  await journey.checkMonth('after reading')
}

/** An open page costs nothing. */
async function idle(journey: Journey): Promise<void> {
  for (let visits = 0; visits < 2; visits += 1) {
    journey.context.advance(24 * MINUTE)
    await journey.me.session()
    await journey.me.look(journey.path)
  }
}

/** Uses the minute up just before the access token goes stale, so that a fresh one could be mistaken for a fresh minute. */
async function exhaustMinute(journey: Journey, options: JourneyOptions): Promise<void> {
  const lastToken = journey.context.recording.calls.findLast(({ path }) => path === '/oauth2/token')
  const staleAtMs = (lastToken?.sentAtMs ?? journey.context.now()) + HOUR - 75 * SECOND
  if (journey.context.now() < staleAtMs) journey.context.advance(staleAtMs - journey.context.now())
  await journey.expectEnd('before the minute', 'ok', await journey.me.press(journey.path))
  if (!options.unaided) await journey.noting(journey.others, () => journey.othersUse(50))
  // Where somebody else spends as much, the month would not last.
  const most = options.unaided ? (journey.context.recording.choices.shared === 'yes' ? 31 : 63) : 16
  let ending: Ending = { end: 'ok' }
  for (let presses = 0; presses < most && ending.end === 'ok'; presses += 1) {
    journey.context.advance(100)
    ending = await journey.me.press(journey.path)
  }
  await journey.checked('minute used up', ending, journey.me)
  for (const ms of [SECOND, SECOND, 35 * SECOND]) {
    journey.context.advance(ms)
    await journey.checked('pressed meanwhile', await journey.me.press(journey.path), journey.me)
  }
  await journey.waitOut()
  const tabs = [journey.path, '/rate_limit', journey.path].map((path) => journey.me.press(path))
  for (const one of await Promise.all(tabs))
    await journey.checked('three tabs after the reset', one, journey.me)
  journey.context.advance(62 * SECOND)
  await journey.expectEnd('after the minute', 'ok', await journey.me.press(journey.path))
  await journey.checkMonth('after the minute')
}

async function expire(journey: Journey): Promise<void> {
  journey.context.advance(HOUR + MINUTE)
  const tabs = [journey.path, '/rate_limit'].map((path) => journey.me.press(path))
  for (const one of await Promise.all(tabs)) await journey.checked('expired', one, journey.me)
  journey.context.advance(62 * SECOND)
  await journey.again('after the expiry')
}

/** The service forgets the access token before its time. */
async function losesAccessToken(journey: Journey): Promise<void> {
  journey.context.edit((state) => {
    state.access_tokens = {}
  })
  await journey.checked('access token lost', await journey.me.press(journey.path), journey.me)
  journey.context.advance(62 * SECOND)
  await journey.again('after the loss')
}

async function exhaustMonth(journey: Journey): Promise<void> {
  // Others may have used it up before.
  const wasOver = journey.context.isMonthOver()
  await journey.checkMonth('before the month is used up')
  let ending: Ending = { end: 'ok' }
  for (let presses = 0; presses < 100 && ending.end === 'ok'; presses += 1) {
    journey.context.advance(3 * SECOND)
    ending = await journey.me.press(journey.path)
  }
  await journey.checked('month used up', ending, journey.me)
  // Only where the app itself has spent the month can it know what else than a 429 may mean.
  const { monthly } = journey.context.recording.choices
  const canKnow = monthly === 'status_429' || monthly === 'status_402' || journey.count() >= 90
  if (!wasOver && canKnow && ending.code !== 'month_suspected' && ending.code !== 'signed_out')
    journey.fault(`the end of the month is told as ${ending.code}`)
  const wasSignedIn = await journey.me.isSignedIn()
  for (const ms of [SECOND, 2 * MINUTE, HOUR]) {
    journey.context.advance(ms)
    if (wasSignedIn && !(await journey.me.isSignedIn()))
      journey.fault('the end of the month signed the person out')
    await journey.checked('pressed all the same', await journey.me.press(journey.path), journey.me)
  }
  await journey.checkMonth('month used up')
}

async function nextMonth(journey: Journey): Promise<void> {
  const [first, last] = [Date.UTC(2026, 11, 1, 2), Date.UTC(2026, 11, 2, 14)]
  while (journey.context.now() < last) {
    journey.context.advance(Math.min(17 * HOUR, last - journey.context.now()))
    await journey.me.session()
    // By a clock that is a day ahead the month is over a day too early, which nobody could know.
    if (journey.context.now() >= first && journey.context.recording.choices.skew !== 'plus_1_day')
      await journey.checkMonth('around the new month')
  }
  await journey.again('next month')
  await journey.checkMonth('next month')
}

/** Two weeks in which the page is only looked at. */
async function fortnight(journey: Journey): Promise<void> {
  for (let days = 0; days < 15; days += 5) {
    journey.context.advance(5 * DAY)
    await journey.me.session()
  }
  await journey.again('after two weeks')
}

async function denied(journey: Journey): Promise<void> {
  const other = new User(journey.context)
  const ending = await other.signIn(journey.standard, { person: 'Ben', decision: 'Deny' })
  if (ending.end === 'ok') journey.fault('a denied sign-in was signed in')
  await journey.checked('denied', ending, other)
}

/** A person who is no member of the organization they ask for. */
async function otherOrganization(journey: Journey): Promise<void> {
  const { wrongorg } = journey.context.recording.choices
  const other = new User(journey.context)
  const ending = await other.signIn(journey.business, { person: 'Ben', decision: 'Permit' })
  // A service that serves what the token is not for gives nobody anything to notice.
  if (ending.end === 'ok' && wrongorg !== 'served_200') journey.fault('signed in to another organization')
  await journey.checked('other organization', ending, other)
}

async function revoked(journey: Journey): Promise<void> {
  const { applications } = journey.context.look().state
  journey.context.edit((state) => {
    state.applications = state.applications.filter(({ client_id }) => client_id !== CLIENT_ID)
    state.access_tokens = {}
    state.refresh_tokens = {}
  })
  for (const ms of [SECOND, HOUR, HOUR]) {
    journey.context.advance(ms)
    await journey.checked('revoked', await journey.me.press(journey.path), journey.me)
  }
  journey.context.edit((state) => {
    state.applications = applications
  })
}

async function signOut(journey: Journey): Promise<void> {
  const before = new Map(journey.me.cookies)
  await journey.expectEnd('sign out', 'ok', await journey.me.signOut())
  if (await journey.me.isSignedIn()) journey.fault('signed in after the sign-out')
  for (const [name, value] of before) journey.me.cookies.set(name, value)
  if (await journey.me.isSignedIn()) journey.fault('the old cookie outlives the sign-out')
  journey.me.cookies.clear()
}

async function byKey(journey: Journey): Promise<void> {
  const ending = await journey.me.signInByKey(API_KEY)
  await journey.expectEnd('key', 'ok', ending)
  await journey.expectEnd('key: read', 'ok', await journey.me.press('/organizations'))
  await journey.checked('key: limits', await journey.me.press('/rate_limit'), journey.me)
  journey.context.edit((state) => {
    state.api_keys = state.api_keys.filter(({ value }) => value !== API_KEY)
  })
  journey.context.advance(62 * SECOND)
  for (let presses = 0; presses < 2; presses += 1)
    await journey.checked('key deleted', await journey.me.press('/organizations'), journey.me)
  await journey.expectEnd('key: sign out', 'ok', await journey.me.signOut())
}

/** Every sort of trouble that a service can have, once each, and the answer to a refresh that is lost on its way. */
async function serviceTrouble(journey: Journey): Promise<void> {
  const { context, me, path } = journey
  for (const kind of ['server_error', 'html', 'garbage', 'truncate', 'lost']) {
    context.fault({ operation: 'organization', kind })
    await journey.checked(`trouble: ${kind}`, await me.press(path), me)
    context.advance(MINUTE)
  }
  context.advance(HOUR)
  context.fault({ operation: 'token', kind: 'lost' })
  await journey.checked('refresh lost', await me.press(path), me)
  context.advance(MINUTE)
  await journey.again('after the lost refresh')
}
