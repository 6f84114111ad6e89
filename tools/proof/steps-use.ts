/** Steps in which a session is used for long: waiting, expiry, lost answers, and trouble on either side. */
import { DEFAULT_CHOICES } from '../../src/sandbox/choices/choices.ts'
import { DAY, HOUR, type Journey, MINUTE, outcomeOf, SECOND } from './journey.ts'
import { together } from './steps-sign-in.ts'

/** An open page costs nothing. */
export async function idle({ ada, context, path }: Journey): Promise<void> {
  for (let requests = 0; requests < 2; requests += 1) {
    context.advance(24 * MINUTE)
    await ada.session()
    await ada.look(path)
  }
}

export async function expire(journey: Journey): Promise<void> {
  const { ada, context, path } = journey
  context.advance(HOUR + MINUTE)
  const tokensBefore = refreshes(journey)
  const tabs = [path, '/rate_limit'].map((one) => ada.press(one))
  const endings = await Promise.all(tabs)
  for (const one of endings) await journey.note('expired', one)
  const outcomes = [...new Set(endings.map(outcomeOf))].toSorted().join(' and ')
  const sent = refreshes(journey) - tokensBefore
  journey.reached('access token expired', `${outcomes} after ${sent} refresh${sent === 1 ? '' : 'es'}`)
  context.advance(62 * SECOND)
  await together(journey)
  await journey.again('after the expiry')
}

/** Actions that sent a refresh; the invariants check how many each may send. */
const refreshes = ({ context }: Journey): number =>
  new Set(
    context.recording.calls
      .filter(({ parameters }) => parameters.get('grant_type') === 'refresh_token')
      .map(({ action }) => action?.number),
  ).size

/** The service forgets the access token too early. */
export async function losesAccessToken(journey: Journey): Promise<void> {
  const { ada, context, path } = journey
  context.edit((state) => {
    state.access_tokens = {}
  })
  const ending = await ada.press(path)
  await journey.note('access token lost', ending)
  journey.reached('access token lost', outcomeOf(ending))
  context.advance(62 * SECOND)
  await journey.again('after the loss')
}

/** All values that make a sign-in impossible come back while a user is signed in. */
export async function setBackAgain(journey: Journey): Promise<void> {
  const { ada, context, path, setBack } = journey
  for (const key of ['slow', 'clientauth', 'tokstatus'] as const) {
    const value = setBack[key]
    if (value === undefined) continue
    journey.choose({ [key]: value })
    // `slow` delays every answer; the other values affect a refresh.
    context.advance(key === 'slow' ? MINUTE : HOUR + MINUTE)
    const ending = await ada.press(path)
    await journey.note(`${key}=${value} while signed in`, ending)
    if (ending.end === 'ok') journey.fault(`${key}=${value} while signed in: ok`)
    journey.outcome('impossible value while signed in', `${key}=${value}: ${outcomeOf(ending)}`)
    journey.choose({ [key]: DEFAULT_CHOICES[key] })
    context.advance(2 * MINUTE)
    await journey.again(`after ${key}=${value}`)
  }
}

/** Every kind of trouble once, and a refresh whose answer is lost. */
export async function serviceTrouble(journey: Journey): Promise<void> {
  const { context, ada, path } = journey
  for (const kind of ['server_error', 'html', 'garbage', 'truncate', 'lost']) {
    context.fault({ operation: 'organization', kind })
    const ending = await ada.press(path)
    await journey.note(`trouble: ${kind}`, ending)
    journey.reached('trouble of the service', `${kind}: ${outcomeOf(ending)}`)
    context.advance(MINUTE)
  }
  context.advance(HOUR)
  context.fault({ operation: 'token', kind: 'lost' })
  const ending = await ada.press(path)
  await journey.note('refresh lost', ending)
  journey.reached('trouble of the service', `refresh lost: ${outcomeOf(ending)}`)
  context.advance(MINUTE)
  await journey.again('after the lost refresh')
}

/** The database rejects a session just when its tokens were replaced; later refreshes use the new ones. */
export async function storeTrouble(journey: Journey): Promise<void> {
  const { context, ada, path } = journey
  context.advance(HOUR + MINUTE)
  await context.withoutWrites(async () => {
    const ending = await ada.press(path)
    await journey.note('sessions cannot be written', ending)
    journey.reached('sessions cannot be written', outcomeOf(ending))
  })
  for (let refreshed = 0; refreshed < 2; refreshed += 1) {
    context.advance(HOUR + MINUTE)
    await journey.again('after the database came back')
  }
}

/** Two weeks in which the user only looks at the page. */
export async function fortnight(journey: Journey): Promise<void> {
  for (let days = 0; days < 15; days += 5) {
    journey.context.advance(5 * DAY)
    await journey.ada.session()
  }
  await journey.again('after two weeks')
  await journey.checkMonth('after two weeks')
}
