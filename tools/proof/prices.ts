/** Presses at every age of an access token: what the button said, and what the service counted. */
import { type Press, type Price, type PriceFacts, priceOf } from '../../src/contract/price.ts'
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import { type Breakage, openContext } from './context.ts'
import { HOUR, Journey, MINUTE, SECOND } from './journey.ts'
import { type Call, isRead, isToken } from './recording.ts'
import type { Ending } from './user.ts'

export interface PricedPress {
  at: string
  press: Press
  facts: PriceFacts
  said: Price
  /** By the service's own count of the month. */
  cost: number
  isOk: boolean
  /** The service accepted the access token, or the press did not rely on one. */
  isForeseeable: boolean
  /** The answer says that the read was sent twice, from which the page makes its words. */
  isExplained: boolean
}

/** Each lets a token reach the named age, from the last refresh on. */
const AGES: Record<string, (prices: Prices) => Promise<void> | void> = {
  fresh: ({ journey }) => journey.context.advance(SECOND),
  'long before a refresh is due': (prices) => prices.untilDue(MINUTE + SECOND),
  'just before a refresh is due': (prices) => prices.untilDue(SECOND),
  'a refresh is due': (prices) => prices.untilDue(0),
  expired: ({ journey }) => journey.context.advance(HOUR + MINUTE),
  'withdrawn early': ({ journey }) => journey.context.edit((state) => void (state.access_tokens = {})),
  'fresh again': ({ journey }) => journey.context.advance(SECOND),
}

class Prices {
  readonly journey: Journey
  readonly pressed: PricedPress[] = []

  constructor(journey: Journey) {
    this.journey = journey
  }

  async untilDue(beforeMs: number): Promise<void> {
    const { due_in_ms: dueMs = 0 } = (await this.journey.ada.quota())?.refresh ?? {}
    this.journey.context.advance(Math.max(0, dueMs - beforeMs))
  }

  /** With the price that the page shows just before. */
  async press(at: string, press: Press): Promise<Ending> {
    const { ada, standard, path, context } = this.journey
    const facts: PriceFacts = press === 'sign_in' ? await ada.session() : ((await ada.quota()) ?? {})
    const { calls, replies } = context.recording
    const callsBefore = calls.length
    const linesBefore = context.look().lines.length
    const ending =
      press === 'sign_in'
        ? await ada.signIn(standard)
        : await ada.press(press === 'read' ? path : '/rate_limit')
    const lines = context.look().lines.slice(linesBefore)
    this.pressed.push({
      at,
      press,
      facts,
      said: priceOf(press, facts),
      cost: lines.reduce((sum, line) => sum + line.cost.month, 0),
      isOk: ending.end === 'ok',
      isForeseeable: !isRefusedEarly(calls.slice(callsBefore)),
      isExplained: /^x-plimsoll-spent\n2$/im.test(replies.at(-1)?.headers ?? ''),
    })
    return ending
  }

  async signIn(at: string): Promise<void> {
    if ((await this.press(at, 'sign_in')).end === 'ok') return
    // One of the choices makes a sign-in impossible, perhaps only while the service asks for a permission.
    this.forgetPermissions()
    await this.journey.firstSignIn()
  }

  forgetPermissions(): void {
    this.journey.context.edit((state) =>
      Object.assign(state, { grants: {}, codes: {}, access_tokens: {}, refresh_tokens: {} }),
    )
  }

  async atEveryAge(known: string): Promise<void> {
    const { ada } = this.journey
    for (const press of ['read', 'check'] as const)
      for (const [age, grow] of Object.entries(AGES)) {
        if (!(await ada.isSignedIn())) await this.signIn(`${known}, after the end`)
        await grow(this)
        await this.press(`${known}, ${age}`, press)
      }
  }

  /** Enters a reading before and after one request of each sort; then a person confirms the findings. */
  async learn(): Promise<void> {
    const { journey } = this
    const { ada, context } = journey
    const works = [
      () => this.press('between readings', 'read'),
      () => this.press('between readings', 'check'),
      async () => {
        await ada.signOut()
        await this.signIn('between readings')
      },
    ]
    // Each of them needs a refresh.
    context.advance(HOUR + MINUTE)
    if (!(await ada.isSignedIn())) await this.signIn('before the readings')
    await journey.enterReading('before all')
    for (const work of works) {
      context.advance(6 * MINUTE)
      if (!(await ada.isSignedIn())) await this.signIn('between readings')
      await work()
      context.advance(HOUR + MINUTE)
      await journey.enterReading('after each')
    }
    for (const { name, value, confirmable } of await ada.findings())
      if (confirmable) await ada.send('free', 'POST', `/bff/evidence/${name}`, { json: { value } })
  }

  /** A permission that ends with a good token, and with one that is due. */
  async atTheEnd(): Promise<void> {
    const { journey } = this
    for (const [age, ms] of [
      ['with a fresh token', SECOND],
      ['with an expired token', HOUR + MINUTE],
    ] as const) {
      if (!(await journey.ada.isSignedIn())) await this.signIn('before the end of the permission')
      this.forgetPermissions()
      journey.context.advance(ms)
      await this.press(`permission withdrawn ${age}`, 'read')
    }
  }
}

/** A refresh after a read of the same press: the service has refused a token that should have been good. */
const isRefusedEarly = (calls: readonly Call[]): boolean => {
  const first = calls.findIndex(isRead)
  return first !== -1 && calls.slice(first).some(isToken)
}

export async function playPrices(choices: Choices, breakage?: Breakage): Promise<PricedPress[]> {
  const context = openContext(choices, breakage)
  const prices = new Prices(new Journey(context, false))
  try {
    await prices.signIn('first')
    await prices.atEveryAge('nothing known')
    // The requests of another client would make the evidence wrong.
    if (choices.shared === 'no') {
      await prices.learn()
      await prices.atEveryAge('after readings')
    }
    await prices.atTheEnd()
  } finally {
    await context.close()
  }
  return prices.pressed
}

export interface PriceCounts {
  presses: number
  within: number
  notForeseeable: number
}

const isBelow = ({ isOk, cost, said }: PricedPress): boolean => isOk && cost < said.low

/** A press that failed may cost less than its button said. @returns each broken promise as a line */
export function priceViolations(pressed: readonly PricedPress[]): string[] {
  return pressed.flatMap((one) => {
    const { at, press, said, cost, isOk, isForeseeable, isExplained } = one
    if (!isForeseeable)
      return isOk && !isExplained ? [`${press}, ${at}: cost ${cost}, and nothing says why`] : []
    if (cost <= said.high && !isBelow(one)) return []
    return [`${press}, ${at}: the button said ${said.low} to ${said.high}, and it cost ${cost}`]
  })
}

export function countPrices(pressed: readonly PricedPress[]): PriceCounts {
  const foreseeable = pressed.filter(({ isForeseeable }) => isForeseeable)
  return {
    presses: pressed.length,
    within: foreseeable.length - priceViolations(foreseeable).length,
    notForeseeable: pressed.length - foreseeable.length,
  }
}

export const sumPrices = (all: readonly PriceCounts[]): PriceCounts =>
  all.reduce(
    (sum, one) => ({
      presses: sum.presses + one.presses,
      within: sum.within + one.within,
      notForeseeable: sum.notForeseeable + one.notForeseeable,
    }),
    { presses: 0, within: 0, notForeseeable: 0 },
  )

export const priceLines = ({ presses, within, notForeseeable }: PriceCounts): string[] => [
  `presses: ${presses}`,
  `within the price: ${within}`,
  `not foreseeable: ${notForeseeable}`,
]
