/** What people do at the page and at the service, each as a command of fast-check's model-based testing. */
import * as fc from 'fast-check'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/contract/duration.ts'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import { deleteGrant } from '../../src/sandbox/state/issued.ts'
import type { SandboxState } from '../../src/sandbox/state/state.ts'
import { CONFIG } from '../../test/kit/config.ts'
import type { Cause } from './endings.ts'
import { type Ending, type Name, NAMES, type People, type Visitor } from './person.ts'
import type { World } from './world.ts'

export type Command = fc.AsyncCommand<People, World>

/** Nobody does two things within a second. @param who must be signed in */
const command = (
  name: string,
  who: Name | undefined,
  run: (people: People, world: World) => Promise<unknown>,
): Command => ({
  check: (people) => who === undefined || people[who].isIn,
  toString: () => name,
  async run(people, world) {
    world.advance(SECOND_MS)
    await run(people, world)
    await world.look(name)
  },
})

/** A command of Ada alone. */
const byAda = (name: string, run: (ada: Visitor, world: World) => Promise<unknown>): Command =>
  command(name, 'ada', ({ ada }, world) => run(ada, world))

// People at the page

async function enter(world: World, person: Visitor): Promise<Ending> {
  if (person.name !== 'key') {
    world.because('another sign-in')
    return person.pays('sign_in')
  }
  const key = world.app.seed.api_keys.find(({ organization_id }) => organization_id === 1001)
  const ending = await person.enterByKey(key?.value ?? '')
  await person.ended('key signs in', ending)
  return ending
}

export const signIn = (name: Name): Command => ({
  ...command(`${name} signs in`, undefined, (people, world) => enter(world, people[name])),
  check: (people) => !people[name].isIn,
})

export const presses = (name: Name, what: 'read' | 'check' = 'read') =>
  command(`${name} presses ${what}`, name, (people) => people[name].pays(what))

/** The first screen is stored by the sign-in, and costs nothing. */
export const looks = (name: Name) =>
  command(`${name} looks`, name, async ({ [name]: person }) => {
    const ending = await person.look()
    if (ending.code !== 'ok') await person.ended(`${name} looks`, ending)
  })

/** Everyone at once, and Ada in two tabs. */
export const together = command('everyone presses at once', undefined, async (people) => {
  const all = NAMES.map((name) => people[name])
  // The success of one tab may end the suspicion by which another was refused.
  for (const one of all) if (await one.isMonthOver()) one.because('month')
  const tabs = all.filter(({ isIn }) => isIn).map((one) => ({ one, path: '/rate_limit' }))
  if (people.ada.isIn) tabs.push({ one: people.ada, path: people.ada.path })
  const presses = tabs.map(async ({ one, path }) => ({ one, ending: await one.press(path) }))
  // A success clears all causes, so those who were refused are asked first.
  const isOfMonth = ({ ending }: { ending: Ending }) => Number(ending.code === 'month_suspected')
  const endings = (await Promise.all(presses)).toSorted((a, b) => isOfMonth(b) - isOfMonth(a))
  for (const { one, ending } of endings) await one.ended('everyone presses at once', ending)
})

const waits = (ms: number, name: string) =>
  command(`wait ${name}`, undefined, async (_, world) => world.advance(ms))
export const hourLater = waits(HOUR_MS + MINUTE_MS, 'an hour')

const refreshDueMs = async (ada: Visitor): Promise<number> =>
  (await ada.quotaIfAny())?.refresh?.due_in_ms ?? 0

const untilRefresh = (beforeMs: number, name: string) =>
  byAda(`wait until ${name} a refresh is due`, async (ada, world) =>
    world.advance(Math.max(0, (await refreshDueMs(ada)) - beforeMs)),
  )

export const enterReading = byAda('ada enters the count of the plan page', (ada) => ada.enterReading())
const confirm = byAda('ada confirms what is found', (ada) => ada.confirmFindings())

export const signOut = (name: Name) =>
  command(`${name} signs out`, name, async ({ [name]: person }, world) => {
    const cookies = new Map(person.cookies)
    const { code } = await person.leave()
    if (code !== 'ok') world.saw('every ending has a reason', `the sign-out ended with ${code}`)
    await useAfterEnd(world, person, cookies)
  })

/** The invariants look whether the session has ended for good. */
async function useAfterEnd(
  { endings }: World,
  person: Visitor,
  cookies: ReadonlyMap<string, string>,
): Promise<void> {
  const twin = person.twin(cookies)
  await twin.session()
  endings.push(`${person.name} uses an ended session: ${(await twin.press()).code}`)
  person.cookies.clear()
  person.isIn = false
}

export const replay = command('the callback of a sign-in comes back', undefined, async ({ ben }, world) => {
  world.advance(SECOND_MS)
  const ending = await ben.replay()
  if (ending !== undefined) expectNoEntry(world, 'the callback came back', ending)
})

function expectNoEntry({ endings, saw }: World, what: string, { code }: Ending): void {
  endings.push(`${what}: ${code}`)
  if (code === 'ok') saw('every ending has a reason', `${what}: it opened a session`)
}

/** Ben claims the organization of Cleo, who sees what becomes of its figures. */
export const claims = (how: 'made-up code' | 'permission') =>
  command(`ben claims the organization of cleo by a ${how}`, 'cleo', async ({ cleo }, world) => {
    const ben = world.visitor('ben')
    ben.organization = world.business
    const before = figuresOf(await cleo.quotaIfAny())
    const ending = await (how === 'permission' ? ben.enter() : ben.enterByMadeUpCode())
    // The service may have counted it for another organization of his (orgbad).
    world.areOthersUnknown = true
    const after = figuresOf(await cleo.quotaIfAny())
    // Such a service counts the read for another organization than it serves, and no client can know that.
    world.isMixedUp ||= ending.code === 'ok' && world.choices.wrongorg === 'served_200'
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
export const recover = command('ada finds a way on', undefined, async ({ ada }, world) => {
  world.advance(2 * MINUTE_MS)
  const isStuck = async () =>
    (!(await ada.isSignedIn()) && (await enter(world, ada)).code !== 'ok') ||
    (await ada.pays('read')).code !== 'ok'
  if (!(await isStuck()) || (await ada.isMonthOver())) return
  await ada.leave()
  world.advance(HOUR_MS + 2 * MINUTE_MS)
  if ((await isStuck()) && !(await ada.isMonthOver())) world.saw('every ending has a reason', 'ada is stuck')
})

// Limits

/**
 * Alone, or with others who use the same tokens; only the headers can report those. It ends just when a
 * refresh is due, since a fresh token could be mistaken for a fresh minute.
 */
export const useUpMinute = (alone: boolean) =>
  byAda(`the minute is used up${alone ? '' : ' by others, too'}`, async (ada, world) => {
    world.advance(Math.max(MINUTE_MS + SECOND_MS, (await refreshDueMs(ada)) - 45 * SECOND_MS))
    if (!alone) world.othersUse({ read: world.choices.shared === 'yes' ? 45 : 50 })
    world.because('minute')
    let ending: Ending = { code: 'ok' }
    for (let left = alone ? 70 : 16; left > 0 && ending.code === 'ok'; left -= 1) {
      world.advance(100)
      ending = await ada.press()
    }
    await ada.ended('the minute is used up', ending)
    for (const ms of [SECOND_MS, 35 * SECOND_MS]) {
      world.advance(ms)
      await ada.pays('read', 'minute')
    }
    world.advance(await pauseMs(ada))
    // Three tabs after the reset. A sliding minute has room for a few of them only.
    for (const one of await Promise.all([ada.press(), ada.press('/rate_limit'), ada.press()]))
      await ada.ended('a tab after the reset', one, 'minute')
    world.advance(62 * SECOND_MS)
  })

/** As long as the page says. */
async function pauseMs(ada: Visitor): Promise<number> {
  const quota = await ada.quotaIfAny()
  const pauses = (quota?.pauses ?? []).filter(({ code }) => code !== 'month_suspected')
  const resetMs = quota?.read.remaining === 0 ? (quota.read.reset_in_ms ?? 0) : 0
  return Math.max(resetMs, ...pauses.map(({ ends_in_ms }) => ends_in_ms))
}

/** Then people press on although the month is over, and stay signed in. */
export const useUpMonth = (alone: boolean) =>
  byAda(`${alone ? 'ada uses' : 'others use'} the month up`, async (ada, world) => {
    if (!alone) world.othersUse({ month: Math.max(0, 100 - world.monthCount()) })
    let ending = await ada.press()
    for (let left = alone ? 150 : 0; left > 0 && (ending.code === 'ok' || isOwnGate(ending)); left -= 1) {
      world.advance(isOwnGate(ending) ? (ending.retryInMs ?? 0) : 3 * SECOND_MS)
      ending = await ada.press()
    }
    await ada.ended('the month is used up', ending)
    for (const ms of [SECOND_MS, 2 * MINUTE_MS, HOUR_MS]) {
      world.advance(ms)
      await ada.pays('read')
      if (ada.isIn && !(await ada.isSignedIn()))
        world.saw('every ending has a reason', 'the end of the month ended the session')
    }
  })

/** The client itself refused: its count may be ahead of the service's; then it sends one press a minute. */
const isOwnGate = ({ code, retryInMs = Infinity }: Ending): boolean =>
  code === 'month_suspected' && retryInMs <= MINUTE_MS

/** Instants around the start of a month, between the resets of the possible zones, in hours. */
const INSTANTS = [-43, -26, -8, 2, 8, 38]

const nextMonth = command('the month ends', undefined, async ({ ada }, world) => {
  const now = new Date(world.now())
  const startMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
  for (const hours of INSTANTS) {
    world.advance(Math.max(0, startMs + hours * HOUR_MS - world.now()))
    await ada.session()
    // By a clock that is a day ahead, the month is over a day early, and no client can know that.
    if (!ada.isIn || world.choices.skew === 'plus_1_day') continue
    await world.observe(`ada, ${hours} h`, ada)
    await ada.enterReading()
    world.advance(SECOND_MS)
    await ada.pays('read')
    await world.observe(`ada after a press, ${hours} h`, ada)
  }
})

export const othersSpend = command('others use a part of the month', undefined, async (_, world) =>
  world.othersUse({ month: 3 }),
)

// Trouble

export const trouble = (operation: 'organization' | 'token', kind: string, more: object = {}) =>
  byAda(`the service has trouble, ${operation}: ${kind}`, async (ada, world) => {
    const { control } = world.app.sandbox
    if (operation === 'token') world.advance(HOUR_MS + MINUTE_MS)
    control.addFault({ operation, kind, ...more })
    await ada.pays('read', operation === 'token' ? 'trouble at a refresh' : 'trouble at a read')
    control.clearFaults()
    world.advance(MINUTE_MS)
  })

export const loseTokens = command('the service forgets the access tokens', undefined, async (_, world) => {
  world.edit((state) => void (state.access_tokens = {}))
  world.because('lost token')
})

// Access ends

function endGrants(state: SandboxState, isEnded: (grant: { person_id: string }) => boolean): void {
  for (const [id, grant] of Object.entries(state.grants)) if (isEnded(grant)) deleteGrant(state, id)
}

/** Presses at once, and when the access token has expired, so that the client must notice. */
async function pressTwice(person: Visitor, world: World, cause: Cause): Promise<void> {
  for (const ms of [SECOND_MS, HOUR_MS + MINUTE_MS]) {
    world.advance(ms)
    if (person.isIn && (await person.pays('read', cause)).code === 'ok')
      world.saw('every ending has a reason', `${person.name} presses, and it works: ${cause}`)
  }
}

export const withdraw = command('ben withdraws his permission', 'ben', async ({ ben }, world) => {
  world.edit((state) => endGrants(state, ({ person_id }) => person_id === 'ben'))
  const cookies = new Map(ben.cookies)
  await pressTwice(ben, world, 'permission withdrawn')
  await useAfterEnd(world, ben, cookies)
})

/** An administrator deletes the application and registers it again: no permission is left. */
export const deleteApplication = byAda('the application is replaced', async (ada, world) => {
  const all = world.app.sandbox.control.snapshot().applications
  const replace = (applications: typeof all) => world.edit((state) => Object.assign(state, { applications }))
  world.edit((state) => endGrants(state, () => true))
  world.because('application deleted')
  replace(all.filter(({ client_id }) => client_id !== CONFIG.clientId))
  await pressTwice(ada, world, 'application deleted')
  replace(all)
  await pressTwice(ada, world, 'application deleted')
})

const fortnight = command('two weeks pass', undefined, async ({ ada, cleo }, world) => {
  for (let days = 0; days < 15; days += 5) {
    world.advance(5 * DAY_MS)
    await ada.session()
    await cleo.session()
  }
})

const troubles = ['server_error', 'html', 'garbage', 'truncate', 'lost'].flatMap((kind) => [
  trouble('organization', kind),
  trouble('token', kind),
])
const refused = trouble('token', 'status', { status: 429 })
const ages = [
  untilRefresh(MINUTE_MS + SECOND_MS, 'long before'),
  untilRefresh(SECOND_MS, 'just before'),
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
      fc.constantFrom(...ages, waits(DAY_MS, 'a day'), fortnight),
      fc.constantFrom(looks('ada'), looks('cleo'), together, signOut('ada'), signOut('key')),
      fc.constantFrom(replay, ...claimed, enterReading, confirm),
      fc.constantFrom(useUpMinute(true), useUpMinute(false), othersSpend),
      fc.constantFrom(useUpMonth(true), useUpMonth(false), nextMonth, nextMonth, recover),
      fc.constantFrom(...troubles, refused, loseTokens),
      fc.constantFrom(withdraw, deleteApplication, recover),
    ],
    { size: 'max', maxCommands: 40, ...(replayPath !== '' && { replayPath }) },
  )
