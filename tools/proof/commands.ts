/** What people do at the page and at the service, each as a command of fast-check's model-based testing. */
import * as fc from 'fast-check'
import { CONFIG } from '../../test/kit/config.ts'
import { type Cause, type Model, type Name, NAMES } from './model.ts'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import type { SandboxState } from '../../src/sandbox/state/state.ts'
import type { Ending } from './visitor.ts'
import type { World } from './world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export type Command = fc.AsyncCommand<Model, World>

/** Nobody does two things within a second. After each command, Ada and Cleo look at their figures. */
const command = (
  name: string,
  who: readonly Name[],
  run: (model: Model, world: World) => Promise<unknown>,
): Command => ({
  check: (model) => who.every((one) => model.signedIn.has(one)),
  toString: () => name,
  async run(model, world) {
    world.advance(SECOND)
    await run(model, world)
    for (const one of ['ada', 'cleo'] as const)
      if (model.signedIn.has(one)) await world.observe(`${one} after "${name}"`, model.people[one])
  },
})

// People at the page

async function enter(model: Model, { app }: World, name: Name): Promise<Ending> {
  const person = model.people[name]
  const key = app.seed.api_keys.find(({ organization_id }) => organization_id === 1001)?.value ?? ''
  if (name !== 'key') model.because('another sign-in')
  const ending = await (name === 'key' ? person.enterByKey(key) : person.pay(`${name} signs in`, 'sign_in'))
  await model.ended(name, `${name} signs in`, ending)
  return ending
}

async function press(model: Model, name: Name, what: 'read' | 'check' = 'read'): Promise<Ending> {
  const ending = await model.people[name].pay(`${name} presses ${what}`, what)
  await model.ended(name, `${name} presses ${what}`, ending)
  return ending
}

export const signIn = (name: Name): Command => ({
  ...command(`${name} signs in`, [], (model, world) => enter(model, world, name)),
  check: (model) => !model.signedIn.has(name),
})

export const presses = (name: Name, what: 'read' | 'check' = 'read') =>
  command(`${name} presses ${what}`, [name], (model) => press(model, name, what))

/** The first screen is stored by the sign-in, and costs nothing. */
export const looks = (name: Name) =>
  command(`${name} looks`, [name], async (model) => {
    const ending = await model.people[name].look()
    if (ending.code !== 'ok') await model.ended(name, `${name} looks`, ending)
  })

/** Everyone at once, and Ada in two tabs. */
export const together = command('everyone presses at once', [], async (model) => {
  // The success of one tab may end the suspicion by which another was refused.
  for (const name of NAMES) if (await model.isMonthOver(name)) model.because('month', [name])
  const tabs = NAMES.filter((name) => model.signedIn.has(name)).map((name) => ({ name, path: '/rate_limit' }))
  if (model.signedIn.has('ada')) tabs.push({ name: 'ada', path: model.people.ada.path })
  const endings = await Promise.all(tabs.map(({ name, path }) => model.people[name].press(path)))
  for (const [at, ending] of endings.entries())
    await model.ended(tabs[at]?.name ?? 'ada', 'everyone presses at once', ending)
})

const waits = (ms: number, name: string) => command(`wait ${name}`, [], async (_, world) => world.advance(ms))
export const hourLater = waits(HOUR + MINUTE, 'an hour')

const refreshDueMs = async ({ people }: Model): Promise<number> =>
  (await people.ada.quotaIfAny())?.refresh?.due_in_ms ?? 0

const untilRefresh = (beforeMs: number, name: string) =>
  command(`wait until ${name} a refresh is due`, ['ada'], async (model, world) =>
    world.advance(Math.max(0, (await refreshDueMs(model)) - beforeMs)),
  )

async function read(model: Model): Promise<void> {
  const ending = await model.people.ada.enterReading()
  if (ending.code !== 'ok') await model.ended('ada', 'the reading', ending)
}

export const enterReading = command('ada enters the count of the plan page', ['ada'], read)
const confirm = command('ada confirms what is found', ['ada'], ({ people }) => people.ada.confirmFindings())

export const signOut = (name: Name) =>
  command(`${name} signs out`, [name], async (model, world) => {
    const person = model.people[name]
    const cookies = new Map(person.cookies)
    const { code } = await person.leave()
    if (code !== 'ok') world.saw('every ending has a reason', `the sign-out ended with ${code}`)
    await useAfterEnd(model, world, name, cookies)
  })

/** The invariants look whether the session has ended for good. */
async function useAfterEnd(
  { people, signedIn }: Model,
  { recording }: World,
  name: Name,
  cookies: ReadonlyMap<string, string>,
): Promise<void> {
  const twin = people[name].twin(cookies)
  await twin.session()
  recording.endings.push(`${name} uses an ended session: ${(await twin.press()).code}`)
  people[name].cookies.clear()
  signedIn.delete(name)
}

export const replay = command('the callback of a sign-in comes back', [], async (model, world) => {
  world.advance(SECOND)
  const ending = await model.people.ben.replay()
  if (ending !== undefined) expectNoEntry(world, 'the callback came back', ending)
})

function expectNoEntry({ recording, saw }: World, what: string, { code }: Ending): void {
  recording.endings.push(`${what}: ${code}`)
  if (code === 'ok') saw('every ending has a reason', `${what}: it opened a session`)
}

/** Ben claims the organization of Cleo, who sees what becomes of its figures. */
export const claims = (how: 'made-up code' | 'permission') =>
  command(`ben claims the organization of cleo by a ${how}`, ['cleo'], async (model, world) => {
    const ben = world.visitor('Ben')
    ben.organization = world.business
    const figures = async () => figuresOf(await model.people.cleo.quotaIfAny())
    const before = await figures()
    const ending = await (how === 'permission' ? ben.enter() : ben.enterByMadeUpCode())
    // The service may have counted it for another organization of his (orgbad).
    world.areOthersUnknown = true
    const after = await figures()
    // Such a service counts the read for another organization than it serves, and no client can know that.
    world.isMixedUp ||= ending.code === 'ok' && model.choices.wrongorg === 'served_200'
    if (world.isMixedUp) return
    // A session whose read was refused for a limit is open, and proves and shows nothing.
    const code = ending.code === 'ok' && !world.isProven(ben) ? 'not proven' : ending.code
    expectNoEntry(world, `a ${how} for others`, { code })
    if (before !== after)
      world.saw('a sign-in that is not proven changes no figures', `${how}: ${before}, then ${after}`)
  })

/** The figures of the month that a person sees, without those that time alone changes. */
function figuresOf(quota: QuotaSnapshot | undefined): string {
  if (quota === undefined) return 'nothing'
  const { low, high, limit, plan } = quota.month
  const isPaused = quota.pauses.some(({ code }) => code === 'month_suspected')
  return `${low} to ${high} of ${limit ?? 'any number'}, plan ${plan}${isPaused ? ', paused' : ''}`
}

/** Whatever the problem is, a press works, at the latest after a sign-out and a sign-in. */
export const recover = command('ada finds a way on', [], async (model, world) => {
  const { ada } = model.people
  world.advance(2 * MINUTE)
  const isStuck = async () =>
    (!(await ada.isSignedIn()) && (await enter(model, world, 'ada')).code !== 'ok') ||
    (await press(model, 'ada')).code !== 'ok'
  if (!(await isStuck()) || (await model.isMonthOver('ada'))) return
  await ada.leave()
  model.signedIn.delete('ada')
  world.advance(HOUR + 2 * MINUTE)
  if ((await isStuck()) && !(await model.isMonthOver('ada')))
    world.saw('every ending has a reason', 'ada is stuck')
})

// Limits

/**
 * Alone, or with others who use the same tokens; only the headers can report those. It ends just when a
 * refresh is due, since a fresh token could be mistaken for a fresh minute.
 */
export const useUpMinute = (alone: boolean) =>
  command(`the minute is used up${alone ? '' : ' by others, too'}`, ['ada'], async (model, world) => {
    const { ada } = model.people
    world.advance(Math.max(MINUTE + SECOND, (await refreshDueMs(model)) - 45 * SECOND))
    if (!alone) world.othersUse({ read: model.choices.shared === 'yes' ? 45 : 50 })
    model.because('minute')
    let ending: Ending = { code: 'ok' }
    for (let left = alone ? 70 : 16; left > 0 && ending.code === 'ok'; left -= 1) {
      world.advance(100)
      ending = await ada.press()
    }
    await model.ended('ada', 'the minute is used up', ending)
    for (const ms of [SECOND, 35 * SECOND]) {
      world.advance(ms)
      model.because('minute')
      await press(model, 'ada')
    }
    model.because('minute')
    world.advance(await pauseMs(model))
    // Three tabs after the reset. A sliding minute has room for a few of them only.
    for (const one of await Promise.all([ada.press(), ada.press('/rate_limit'), ada.press()])) {
      model.because('minute')
      await model.ended('ada', 'a tab after the reset', one)
    }
    world.advance(62 * SECOND)
  })

/** As long as the page says. */
async function pauseMs({ people }: Model): Promise<number> {
  const quota = await people.ada.quotaIfAny()
  const pauses = (quota?.pauses ?? []).filter(({ code }) => code !== 'month_suspected')
  const resetMs = quota?.read.remaining === 0 ? (quota.read.reset_in_ms ?? 0) : 0
  return Math.max(resetMs, ...pauses.map(({ ends_in_ms }) => ends_in_ms))
}

/** Then people press on although the month is over, and stay signed in. */
export const useUpMonth = (alone: boolean) =>
  command(`${alone ? 'ada uses' : 'others use'} the month up`, ['ada'], async (model, world) => {
    const { ada } = model.people
    if (!alone) world.othersUse({ month: Math.max(0, 100 - world.monthCount()) })
    let ending = await ada.press()
    for (let left = alone ? 150 : 0; left > 0 && (ending.code === 'ok' || isOwnGate(ending)); left -= 1) {
      world.advance(isOwnGate(ending) ? (ending.retryInMs ?? 0) : 3 * SECOND)
      ending = await ada.press()
    }
    await model.ended('ada', 'the month is used up', ending)
    for (const ms of [SECOND, 2 * MINUTE, HOUR]) {
      world.advance(ms)
      await press(model, 'ada')
      if (model.signedIn.has('ada') && !(await ada.isSignedIn()))
        world.saw('every ending has a reason', 'the end of the month ended the session')
    }
  })

/** The client itself refused: its count may be ahead of the service's; then it sends one press a minute. */
const isOwnGate = ({ code, retryInMs = Infinity }: Ending): boolean =>
  code === 'month_suspected' && retryInMs <= MINUTE

/** Instants around the start of a month, between the resets of the possible zones, in hours. */
const INSTANTS = [-43, -26, -8, 2, 8, 38]

const nextMonth = command('the month ends', [], async (model, world) => {
  const { ada } = model.people
  const now = new Date(world.now())
  const startMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
  for (const hours of INSTANTS) {
    world.advance(Math.max(0, startMs + hours * HOUR - world.now()))
    await ada.session()
    // By a clock that is a day ahead, the month is over a day early, and no client can know that.
    if (!model.signedIn.has('ada') || model.choices.skew === 'plus_1_day') continue
    await world.observe(`ada, ${hours} h`, ada)
    await read(model)
    world.advance(SECOND)
    await press(model, 'ada')
    await world.observe(`ada after a press, ${hours} h`, ada)
  }
})

export const othersSpend = command('others use a part of the month', [], async (_, world) =>
  world.othersUse({ month: 3 }),
)

// Trouble

export const trouble = (operation: 'organization' | 'token', kind: string, more: object = {}) =>
  command(`the service has trouble, ${operation}: ${kind}`, ['ada'], async (model, world) => {
    const { control } = world.app.sandbox
    if (operation === 'token') world.advance(HOUR + MINUTE)
    control.addFault({ operation, kind, ...more })
    model.because(operation === 'token' ? 'trouble at a refresh' : 'trouble at a read', ['ada'])
    await press(model, 'ada')
    control.clearFaults()
    world.advance(MINUTE)
  })

export const loseTokens = command('the service forgets the access tokens', [], async (model, world) => {
  world.edit((state) => void (state.access_tokens = {}))
  model.because('lost token')
})

// Access ends

/** The state that the service deletes with a grant (RFC 7009 2.1). */
function endGrants(state: SandboxState, isEnded: (grant: { person_id: string }) => boolean): void {
  const ended = new Set(Object.entries(state.grants).flatMap(([id, grant]) => (isEnded(grant) ? [id] : [])))
  const left = <T extends { grant_id: string }>(issued: Record<string, T>) =>
    Object.fromEntries(Object.entries(issued).filter(([, { grant_id }]) => !ended.has(grant_id)))
  state.refresh_tokens = left(state.refresh_tokens)
  state.codes = left(state.codes)
  state.access_tokens = left(state.access_tokens)
  for (const id of ended) delete state.grants[id]
}

/** Presses at once, and when the access token has expired, so that the client must notice. */
async function pressTwice(model: Model, world: World, name: Name, cause: Cause): Promise<void> {
  for (const ms of [SECOND, HOUR + MINUTE]) {
    world.advance(ms)
    model.because(cause, [name])
    const { code } = model.signedIn.has(name) ? await press(model, name) : { code: '' }
    if (code === 'ok') world.saw('every ending has a reason', `${name} presses, and it works: ${cause}`)
  }
}

export const withdraw = command('ben withdraws his permission', ['ben'], async (model, world) => {
  world.edit((state) => endGrants(state, ({ person_id }) => person_id === 'ben'))
  const cookies = new Map(model.people.ben.cookies)
  await pressTwice(model, world, 'ben', 'permission withdrawn')
  await useAfterEnd(model, world, 'ben', cookies)
})

/** An administrator deletes the application and registers it again: no permission is left. */
export const deleteApplication = command('the application is replaced', ['ada'], async (model, world) => {
  const { applications } = world.app.sandbox.control.snapshot()
  world.edit((state) => {
    state.applications = state.applications.filter(({ client_id }) => client_id !== CONFIG.clientId)
    endGrants(state, () => true)
  })
  model.because('application deleted')
  await pressTwice(model, world, 'ada', 'application deleted')
  world.edit((state) => void (state.applications = applications))
  await pressTwice(model, world, 'ada', 'application deleted')
})

const fortnight = command('two weeks pass', [], async ({ people }, world) => {
  for (let days = 0; days < 15; days += 5) {
    world.advance(5 * DAY)
    await people.ada.session()
    await people.cleo.session()
  }
})

const troubles = ['server_error', 'html', 'garbage', 'truncate', 'lost'].flatMap((kind) => [
  trouble('organization', kind),
  trouble('token', kind),
])
const refused = trouble('token', 'status', { status: 429 })
const ages = [
  untilRefresh(MINUTE + SECOND, 'long before'),
  untilRefresh(SECOND, 'just before'),
  untilRefresh(0, 'when'),
  hourLater,
]
const atEveryAge = (['read', 'check'] as const).flatMap((what) =>
  [...ages, loseTokens].flatMap((age) => [age, presses('ada', what)]),
)
const claimed = [claims('made-up code'), claims('permission')]

/** Everything once, in an order in which each command can have its effect. */
export const TOUR: readonly Command[] = [
  [signIn('ada'), looks('ada'), presses('ada'), presses('ada', 'check')],
  [signIn('ben'), replay, signIn('cleo'), ...claimed, together, looks('cleo')],
  [...troubles, refused, recover, ...atEveryAge],
  [hourLater, enterReading, presses('ada'), hourLater, enterReading, presses('ada', 'check')],
  [hourLater, enterReading, signOut('ada'), signIn('ada'), hourLater, enterReading, confirm, ...atEveryAge],
  [othersSpend, enterReading, useUpMinute(false), useUpMinute(true), hourLater, together],
  [useUpMonth(true), nextMonth, recover, othersSpend],
  [withdraw, fortnight, recover, signIn('ada on her phone'), together],
  [useUpMonth(false), nextMonth, recover, deleteApplication, recover, signOut('ada')],
  [signIn('key'), presses('key'), signOut('key')],
].flat()

/**
 * For random runs. A sign-in comes often, because without one little is possible.
 * @param replayPath of fast-check; empty: a new run
 */
export const anyCommands = (replayPath: string) =>
  fc.commands(
    [
      fc.constantFrom<Name>('ada', 'ada', 'ben', 'cleo', ...NAMES).map(signIn),
      fc
        .tuple(fc.constantFrom(...NAMES), fc.constantFrom('read' as const, 'check' as const))
        .map((all) => presses(...all)),
      fc.constantFrom(...ages, waits(DAY, 'a day'), fortnight),
      fc.constantFrom(looks('ada'), looks('cleo'), together, signOut('ada'), signOut('key')),
      fc.constantFrom(replay, ...claimed, enterReading, confirm),
      fc.constantFrom(useUpMinute(true), useUpMinute(false), othersSpend),
      fc.constantFrom(useUpMonth(true), useUpMonth(false), nextMonth, nextMonth, recover),
      fc.constantFrom(...troubles, refused, loseTokens),
      fc.constantFrom(withdraw, deleteApplication, recover),
    ],
    { size: 'max', maxCommands: 40, ...(replayPath !== '' && { replayPath }) },
  )
