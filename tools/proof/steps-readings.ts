/** Steps in which others use their own key, and a person enters the service's count. */
import { SERVICE } from './context.ts'
import { HOUR, type Journey, MINUTE, SECOND } from './journey.ts'

const KEY = { value: 'a-key-of-others-in-the-organization', organization_id: 1001, issued_by: 'ada' }
/** The interval between requests of others, from the first reading on. */
const PERIOD_MS = 12 * HOUR
const PERIODS = 4

/** Others use a part of the month with their own key. */
async function othersSpend(journey: Journey, requests: number): Promise<void> {
  const { context } = journey
  await journey.byOthers(async () => {
    for (let request = 0; request < requests; request += 1)
      await context.browse(
        new Request(`${SERVICE}/organizations`, { headers: { 'X-Service-Api-Key': KEY.value } }),
      )
  })
}

/** The journey has a reading from here to the end of the month. */
export async function firstReading(journey: Journey): Promise<void> {
  journey.context.edit(({ api_keys }) => void api_keys.push(KEY))
  await othersSpend(journey, journey.othersBefore)
  await journey.enterReading('first reading')
  await journey.checkMonth('first reading')
}

/** Readings of the next month: one with a request in flight, two while others send at a steady rate. */
export async function laterReadings(journey: Journey): Promise<void> {
  const { context, ada } = journey
  if (!(await ada.isSignedIn())) await journey.signInAgain('before the readings')
  await othersSpend(journey, 3)
  for (const when of ['not counted yet', 'counted'] as const) {
    context.advance(2 * MINUTE)
    context.duringNext(when, () => journey.enterReading(`reading, ${when}`))
    await journey.again(`press, ${when}`)
    await journey.checkMonth(`press, ${when}`)
  }
  await steadyOthers(journey)
  context.advance(MINUTE)
  await journey.again('after the readings')
  await journey.checkMonth('after the readings')
}

async function steadyOthers(journey: Journey): Promise<void> {
  const { context, ada, path } = journey
  const startMs = context.now()
  const until = (ms: number) => context.advance(Math.max(0, startMs + ms - context.now()))
  await othersSpend(journey, 1)
  until(2 * MINUTE)
  await journey.enterReading('steady others, first')
  for (let period = 1; period <= 2 * PERIODS; period += 1) {
    until(period * PERIOD_MS)
    await othersSpend(journey, 1)
    until(period * PERIOD_MS + 2 * MINUTE)
    if (!(await ada.isSignedIn())) await journey.signInAgain('steady others')
    if (period === PERIODS) await journey.enterReading('steady others, second')
    context.advance(SECOND)
    await ada.press(path)
    // Known from the second reading on. A minute exceeds the error in reading the service's clock.
    until(period * PERIOD_MS + 3 * MINUTE)
    if (period >= PERIODS) await journey.checkMonth(`steady others, ${period}`)
  }
}
