/** Steps that use a limit up: the minute, the token endpoint, the month, and the month by another key. */
import { CLIENT_ID, CLIENT_SECRET, SERVICE } from './context.ts'
import { DAY, HOUR, type Journey, MINUTE, outcomeOf, SECOND } from './journey.ts'
import type { Ending } from './user.ts'

/** The origin of a refusal: without a request, or from the service's answer. */
const refusal = (journey: Journey, callsBefore: number, ending: Ending): string => {
  const isSent = journey.context.recording.calls.length > callsBefore
  return `${outcomeOf(ending)}, ${isSent ? 'by the service' : 'not sent'}`
}

/** Just before the access token expires: a fresh token could be mistaken for a fresh minute. */
export async function exhaustMinute(journey: Journey): Promise<void> {
  const { ada, context, path, unaided, choices } = journey
  const { calls } = context.recording
  const lastToken = calls.find(
    ({ path: asked, answer }) => asked === '/oauth2/token' && (answer?.status ?? 500) < 300,
  )
  // Slow answers need more time for the last few requests.
  const leadMs = choices.slow === 'seconds_2' ? 100 * SECOND : 75 * SECOND
  const staleAtMs = (lastToken?.sentAtMs ?? context.now()) + HOUR - leadMs
  if (context.now() < staleAtMs) context.advance(staleAtMs - context.now())
  await journey.expectOk('before the minute', await ada.press(path))
  const doubled = choices.shared === 'yes'
  if (!unaided) await journey.othersUse(doubled ? 25 : 50)
  const most = unaided ? (doubled ? 31 : 70) : 16
  let ending: Ending = { end: 'ok' }
  let callsBefore = calls.length
  for (let presses = 0; presses < most && ending.end === 'ok'; presses += 1) {
    context.advance(100)
    callsBefore = calls.length
    ending = await ada.press(path)
  }
  if (ending.end === 'ok') {
    // The minute refills as fast as answers come, so others use up the rest, and this answer takes no time.
    await journey.othersUse(70)
    const { slow } = context.look().state.choices
    journey.choose({ slow: 'none' })
    callsBefore = calls.length
    ending = await ada.press(path)
    journey.choose({ slow })
  }
  await journey.note('minute used up', ending)
  journey.reached('minute used up', refusal(journey, callsBefore, ending))
  for (const ms of [SECOND, SECOND, 35 * SECOND]) {
    context.advance(ms)
    await journey.note('pressed meanwhile', await ada.press(path))
  }
  await journey.waitOut()
  const tabs = [path, '/rate_limit', path].map((one) => ada.press(one))
  for (const one of await Promise.all(tabs)) await journey.note('three tabs after the reset', one)
  context.advance(62 * SECOND)
  await journey.expectOk('after the minute', await ada.press(path))
  await journey.checkMonth('after the minute')
}

/** Other instances of the application use it up just when a refresh is due. */
export async function exhaustTokenEndpoint(journey: Journey): Promise<void> {
  const { ada, context, path } = journey
  context.advance(HOUR + MINUTE)
  await journey.byOthers(async () => {
    for (let request = 0; request < 10 && journey.choices.toklimit === 'own_limit'; request += 1)
      await context.browse(unknownRefresh(journey.choices.enc === 'json_only'))
  })
  const ending = await ada.press(path)
  await journey.note('token endpoint used up', ending)
  const { toklimit } = journey.choices
  const reason = toklimit === 'own_limit' ? '' : `impossible because toklimit=${toklimit}: `
  journey.reached('token endpoint used up', reason + outcomeOf(ending))
  for (const ms of [SECOND, SECOND]) {
    context.advance(ms)
    await journey.note('pressed meanwhile', await ada.press(path))
  }
  context.advance(ending.retryInMs ?? 0)
  context.advance(62 * SECOND)
  await journey.again('after the token endpoint')
}

function unknownRefresh(asJson: boolean): Request {
  const parameters = {
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    refresh_token: 'of-another-instance',
    grant_type: 'refresh_token',
  }
  const body = asJson ? JSON.stringify(parameters) : new URLSearchParams(parameters)
  const headers = asJson ? { 'Content-Type': 'application/json' } : {}
  return new Request(`${SERVICE}/oauth2/token`, { method: 'POST', headers, body })
}

/**
 * True if the app itself refused: its count may be ahead of the service's, and then it sends one press a
 * minute.
 */
const isOwnGate = ({ code, retryInMs = Infinity }: Ending): boolean =>
  code === 'month_suspected' && retryInMs <= MINUTE

export async function exhaustMonth(journey: Journey): Promise<void> {
  const { ada, context, path } = journey
  await journey.checkMonth('before the month is used up')
  let ending: Ending = { end: 'ok' }
  for (let presses = 0; presses < 150 && (ending.end === 'ok' || isOwnGate(ending)); presses += 1) {
    context.advance(isOwnGate(ending) ? (ending.retryInMs ?? 0) : 3 * SECOND)
    ending = await ada.press(path)
  }
  await journey.note('month used up', ending)
  journey.reached('month used up', context.isMonthOver() ? outcomeOf(ending) : 'not used up')
  for (const ms of [SECOND, 2 * MINUTE, HOUR]) {
    context.advance(ms)
    await journey.note('pressed all the same', await ada.press(path))
    if (!(await ada.isSignedIn())) journey.fault('the end of the month ended the session')
  }
  await journey.checkMonth('month used up')
}

/** An instant between the resets of the possible zones of the service (U68). */
const INSTANTS = [
  ['before all', Date.UTC(2026, 10, 29, 5)],
  ['a day before', Date.UTC(2026, 10, 29, 22)],
  ['after Tokyo', Date.UTC(2026, 10, 30, 16)],
  ['after UTC', Date.UTC(2026, 11, 1, 2)],
  ['after New York', Date.UTC(2026, 11, 1, 8)],
  ['after all', Date.UTC(2026, 11, 2, 14)],
] as const

export async function nextMonth(journey: Journey): Promise<void> {
  const { ada, context, choices } = journey
  // By a clock that is a day ahead, the month is over a day early, and no client can know that.
  const isKnowable = choices.skew !== 'plus_1_day'
  for (const [at, atMs] of INSTANTS) {
    context.advance(Math.max(0, atMs - context.now()))
    await ada.session()
    if (!isKnowable) continue
    await journey.checkMonth(`around the new month, ${at}`)
    if (!(await ada.isSignedIn())) continue
    await journey.enterReading(`around the new month, ${at}`)
    context.advance(SECOND)
    await journey.note('around the new month', await ada.press(journey.path))
    await journey.checkMonth(`around the new month, pressed, ${at}`)
  }
  await journey.again('next month')
  await journey.checkMonth('next month')
}

/** Another key of the organization uses the month up: the app has no part in it and cannot know. */
export async function anotherKeyUsesMonth(journey: Journey): Promise<void> {
  const { ada, context, path } = journey
  const takeOut = journey.startTakingOut()
  const key = { value: 'another-key-of-the-organization', organization_id: 1001, issued_by: 'ada' }
  context.edit((state) => {
    state.api_keys.push(key)
    const month = state.months[1001]
    if (month !== undefined) month.count = 97
  })
  await journey.byOthers(async () => {
    for (let request = 0; request < 4; request += 1)
      await context.browse(
        new Request(`${SERVICE}/organizations`, { headers: { 'X-Service-Api-Key': key.value } }),
      )
  })
  const ending = await ada.press(path)
  await journey.note('month used up by another key', ending)
  journey.reached('month used up by another key', outcomeOf(ending))
  context.advance(MINUTE)
  await journey.note('pressed all the same', await ada.press(path))
  if (!(await ada.isSignedIn())) journey.fault('the month of another key ended the session')
  context.edit((state) => {
    state.api_keys = state.api_keys.filter(({ value }) => value !== key.value)
  })
  takeOut()
  context.advance(DAY / 4)
  await journey.again('after the other key')
}
