/** What people do at the page and at the service, each as a command of fast-check's model-based testing. */
import * as fc from 'fast-check'
import { DEFAULT_CHOICES } from '../../src/sandbox/choices/choices.ts'
import { CONFIG, SERVICE } from '../../test/kit/config.ts'
import { IMPOSSIBLE, type Model, type Name, NAMES } from './model.ts'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import type { Ending, Visitor } from './visitor.ts'
import type { World } from './world.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export type Command = fc.AsyncCommand<Model, World>

/** Nobody does two things within a second. After each command, Ada and Cleo look at their figures. */
const command = (
  name: string,
  who: readonly Name[],
  run: (model: Model, world: World) => Promise<unknown>,
  isPossible: (model: Readonly<Model>) => boolean = () => true,
): Command => ({
  check: (model) => who.every((one) => model.signedIn.has(one)) && isPossible(model),
  toString: () => name,
  async run(model, world) {
    world.advance(SECOND)
    await run(model, world)
    for (const who of ['ada', 'cleo'] as const)
      if (model.signedIn.has(who)) await world.observe(`${who} after "${name}"`, model.people[who])
  },
})

// People at the page

/**
 * Each value that makes a sign-in impossible has to end it as the model says. The values are then set back one
 * at a time, in the order in which a sign-in meets them, so that each is met with all others in place.
 */
async function meetImpossible(model: Model, world: World, attempt: () => Promise<Ending>, byKey: boolean) {
  // A sign-in by a key meets the service at its API only.
  for (const [choice, endings] of IMPOSSIBLE.filter(([met]) => !byKey || met === 'slow')) {
    const expected = choice in model.setBack ? undefined : endings[model.choices[choice]]
    if (expected === undefined) continue
    const { code } = await attempt()
    const value = `${choice}=${model.choices[choice]}`
    world.recording.endings.push(`sign in with ${value}: ${code}`)
    if (!expected.includes(code) && !world.isMonthOver())
      world.recording.faults.push(`the sign-in with ${value} ended with ${code}`)
    Object.assign(model.setBack, { [choice]: model.choices[choice] })
    world.choose({ [choice]: DEFAULT_CHOICES[choice] })
    world.advance(2 * MINUTE)
  }
}

const keyOf = (name: Name, { app }: World): string | undefined => {
  const id = { key: 1001, 'key of business': 2002 }[name as 'key']
  return app.seed.api_keys.find(({ organization_id }) => organization_id === id)?.value
}

async function enter(model: Model, world: World, name: Name): Promise<Ending> {
  const person = model.people[name]
  const key = keyOf(name, world)
  const attempt = () => (key === undefined ? person.enter() : person.enterByKey(key))
  await meetImpossible(model, world, attempt, key !== undefined)
  if (key === undefined) model.because('another sign-in')
  const ending = await (key === undefined ? person.pay(`${name} signs in`, 'sign_in') : attempt())
  await model.ended(name, `${name} signs in`, ending)
  return ending
}

async function press(model: Model, name: Name, what: 'read' | 'check' = 'read'): Promise<Ending> {
  const ending = await model.people[name].pay(`${name} presses ${what}`, what)
  await model.ended(name, `${name} presses ${what}`, ending)
  return ending
}

const signIn = (name: Name) =>
  command(
    `${name} signs in`,
    [],
    (model, world) => enter(model, world, name),
    (model) => !model.signedIn.has(name),
  )

const presses = (name: Name, what: 'read' | 'check' = 'read') =>
  command(`${name} presses ${what}`, [name], (model) => press(model, name, what))

/** The first screen is stored by the sign-in, and costs nothing. */
const looks = (name: Name) =>
  command(`${name} looks`, [name], async (model, { recording }) => {
    const { code } = await model.people[name].look()
    // A sign-in that was refused for the month has stored nothing.
    if (code !== 'ok' && !(await model.isMonthOver(name)))
      recording.faults.push(`${name} looks: ended with ${code}`)
  })

/** Everyone at once, and Ada in two tabs. */
const together = command('everyone presses at once', [], async (model) => {
  const tabs = NAMES.filter((name) => model.signedIn.has(name)).map((name) => ({ name, path: '/rate_limit' }))
  if (model.signedIn.has('ada')) tabs.push({ name: 'ada', path: model.people.ada.path })
  const press = async ({ name, path }: (typeof tabs)[0]) => ({
    name,
    ending: await model.people[name].press(path),
  })
  const ended = await Promise.all(tabs.map(press))
  for (const { name, ending } of ended) await model.ended(name, 'everyone presses at once', ending)
})

const waits = (ms: number, name: string) => command(`wait ${name}`, [], async (_, world) => world.advance(ms))

const untilRefresh = (beforeMs: number, name: string) =>
  command(`wait until ${name} a refresh is due`, ['ada'], async (model, world) => {
    const { due_in_ms: dueMs = 0 } = (await model.people.ada.quotaIfAny())?.refresh ?? {}
    world.advance(Math.max(0, dueMs - beforeMs))
  })

async function read(model: Model): Promise<void> {
  const ending = await model.people.ada.enterReading()
  if (ending.code !== 'ok') await model.ended('ada', 'the reading', ending)
}

const enterReading = command('ada enters the count of the plan page', ['ada'], read)

const readingInFlight = (when: 'not counted yet' | 'counted') =>
  command(`ada enters the count while a press is ${when}`, ['ada'], async (model, world) => {
    world.advance(2 * MINUTE)
    world.duringNext(when, () => read(model))
    await press(model, 'ada')
  })

const confirm = command('ada confirms what is found', ['ada'], ({ people }) => people.ada.confirmFindings())

/** The invariants look whether the session has ended for good. */
async function useAfterEnd(
  { recording }: World,
  person: Visitor,
  cookies: ReadonlyMap<string, string>,
  end: string,
): Promise<void> {
  await person.twin(cookies).session()
  const { code } = await person.twin(cookies).press()
  recording.endings.push(`the cookie after ${end}: ${code}`)
  person.cookies.clear()
}

const signOut = (name: Name) =>
  command(`${name} signs out`, [name], async (model, world) => {
    const person = model.people[name]
    const cookies = new Map(person.cookies)
    const { code } = await person.leave()
    if (code !== 'ok') world.recording.faults.push(`the sign-out ended with ${code}`)
    model.signedIn.delete(name)
    await useAfterEnd(world, person, cookies, 'the sign-out')
  })

/** A finished sign-in's state comes back: once as the whole address, and once with its own code. */
const replay = (what: 'callback' | 'state') =>
  command(
    `the ${what} of a sign-in comes back`,
    [],
    async (model, world) => {
      world.advance(SECOND)
      expectNoEntry(world, `the ${what} came back`, await model.people.ben.replay(what))
    },
    (model) => model.people.ben.hasSignedIn,
  )

function expectNoEntry({ recording }: World, what: string, { code }: Ending): void {
  recording.endings.push(`${what}: ${code}`)
  if (code === 'ok') recording.faults.push(`${what}: it opened a session`)
}

const misconfigured = command('a setting is wrong', [], async (_, world) => {
  const tamper = ({ searchParams }: URL) => searchParams.set('client_id', 'unregistered')
  expectNoEntry(world, 'an unknown application', await world.visitor('Ben').enter('Permit', tamper))
})

const deny = command('ben permits nothing', [], async (model, world) => {
  const ending = await world.visitor('Ben').enter('Deny')
  // A service that remembers a permission does not ask again.
  if (model.choices.consent !== 'remembered') expectNoEntry(world, 'permission denied', ending)
})

/** Ben claims the organization of Cleo, who sees what becomes of its figures. */
const claims = (how: 'made-up code' | 'permission') =>
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
    expectNoEntry(world, `a ${how} for others`, ending)
    world.recording.figures.push({ at: how, before, after })
  })

/** The figures of the month that a person sees, without those that time alone changes. */
function figuresOf(quota: QuotaSnapshot | undefined): string {
  if (quota === undefined) return 'nothing'
  const { low, high, limit, plan } = quota.month
  const isPaused = quota.pauses.some(({ code }) => code === 'month_suspected')
  return `${low} to ${high} of ${limit ?? 'any number'}, plan ${plan}${isPaused ? ', paused' : ''}`
}

/** Whatever the problem is, a press works, at the latest after a sign-out and a sign-in. */
async function recover(model: Model, world: World): Promise<void> {
  world.advance(2 * MINUTE)
  const isStuck = async () => {
    if (!(await model.people.ada.isSignedIn()) && (await enter(model, world, 'ada')).code !== 'ok')
      return true
    return (await press(model, 'ada')).code !== 'ok'
  }
  if (!(await isStuck()) || (await model.isMonthOver('ada'))) return
  await model.people.ada.leave()
  model.signedIn.delete('ada')
  world.advance(HOUR + 2 * MINUTE)
  if ((await isStuck()) && !(await model.isMonthOver('ada'))) world.recording.faults.push('ada is stuck')
}

// Limits

/**
 * Alone, or with others who use the same tokens; only the headers can report those. It ends just when a refresh
 * is due, since a fresh token could be mistaken for a fresh minute.
 */
const useUpMinute = (alone: boolean) =>
  command(`the minute is used up${alone ? '' : ' by others, too'}`, ['ada'], async (model, world) => {
    const { due_in_ms: dueMs = 0 } = (await model.people.ada.quotaIfAny())?.refresh ?? {}
    // Slow answers need more time for the last few requests.
    world.advance(Math.max(MINUTE + SECOND, dueMs - (model.choices.slow === 'seconds_2' ? 70 : 45) * SECOND))
    model.because('minute')
    if (!alone) world.othersUse({ read: model.choices.shared === 'yes' ? 45 : 50 })
    let ending: Ending = { code: 'ok' }
    for (let left = alone ? 70 : 16; left > 0 && ending.code === 'ok'; left -= 1) {
      world.advance(100)
      ending = await model.people.ada.press()
    }
    if (ending.code === 'ok' && !alone) {
      world.othersUse({ read: 60 })
      ending = await model.people.ada.press()
    }
    await model.ended('ada', 'the minute is used up', ending)
    for (const ms of [SECOND, 35 * SECOND]) {
      world.advance(ms)
      model.because('minute')
      await press(model, 'ada')
    }
    model.because('minute')
    await waitOut(model, world)
    // Three tabs after the reset.
    const paths = [undefined, '/rate_limit', undefined]
    for (const one of await Promise.all(paths.map((path) => model.people.ada.press(path)))) {
      // A sliding minute has room for a few of them only.
      model.because('minute')
      await model.ended('ada', 'a tab after the reset', one)
    }
    world.advance(62 * SECOND)
  })

/** As long as the page says. */
async function waitOut(model: Model, world: World): Promise<void> {
  const quota = await model.people.ada.quotaIfAny()
  const pauses = (quota?.pauses ?? []).filter(({ code }) => code !== 'month_suspected')
  const resetMs = quota?.read.remaining === 0 ? (quota.read.reset_in_ms ?? 0) : 0
  world.advance(Math.max(resetMs, ...pauses.map(({ ends_in_ms }) => ends_in_ms)))
}

/** Other instances of the application use it up just when a refresh is due. */
const useUpTokenEndpoint = command('the token endpoint is used up', ['ada'], async (model, world) => {
  world.advance(HOUR + MINUTE)
  if (model.choices.toklimit === 'own_limit') {
    model.because('token endpoint')
    for (let request = 0; request < 10; request += 1)
      await world.browse(unknownRefresh(model, `${world.now()} ${request}`))
  }
  const { retryInMs = 0 } = await press(model, 'ada')
  for (const ms of [SECOND, SECOND]) {
    world.advance(ms)
    await press(model, 'ada')
  }
  world.advance(retryInMs + 62 * SECOND)
})

/** @param name of a token that is sent only once */
function unknownRefresh({ choices }: Model, name: string): Request {
  const { clientId: client_id, clientSecret: client_secret } = CONFIG
  const parameters = {
    client_id,
    client_secret,
    refresh_token: name,
    grant_type: 'refresh_token',
  }
  const isJson = choices.enc === 'json_only'
  return new Request(`${SERVICE}/oauth2/token`, {
    method: 'POST',
    ...(isJson && { headers: { 'Content-Type': 'application/json' } }),
    body: isJson ? JSON.stringify(parameters) : new URLSearchParams(parameters),
  })
}

const useUpMonth = command('ada uses the month up', ['ada'], async (model, world) => {
  let ending: Ending = { code: 'ok' }
  for (let left = 150; left > 0 && (ending.code === 'ok' || isOwnGate(ending)); left -= 1) {
    world.advance(isOwnGate(ending) ? (ending.retryInMs ?? 0) : 3 * SECOND)
    ending = await model.people.ada.press()
  }
  await model.ended('ada', 'the month is used up', ending)
  await pressOn(model, world)
})

/** The client itself refused: its count may be ahead of the service's, and then it sends one press a minute. */
const isOwnGate = ({ code, retryInMs = Infinity }: Ending): boolean =>
  code === 'month_suspected' && retryInMs <= MINUTE

/** People press on although the month is over, and stay signed in. */
async function pressOn(model: Model, world: World): Promise<void> {
  for (const ms of [SECOND, 2 * MINUTE, HOUR]) {
    world.advance(ms)
    await press(model, 'ada')
    if (model.signedIn.has('ada') && !(await model.people.ada.isSignedIn()))
      world.recording.faults.push('the end of the month ended the session')
  }
}

const othersUseMonth = command('others use the month up', ['ada'], async (model, world) => {
  world.othersUse({ month: Math.max(0, 100 - world.monthCount()) })
  await press(model, 'ada')
  await pressOn(model, world)
})

/** Instants around the start of a month, between the resets of the possible zones, in hours. */
const INSTANTS = [-43, -26, -8, 2, 8, 38]

const nextMonth = command('the month ends', [], async (model, world) => {
  const now = new Date(world.now())
  const startMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
  for (const hours of INSTANTS) {
    world.advance(Math.max(0, startMs + hours * HOUR - world.now()))
    await model.people.ada.session()
    // By a clock that is a day ahead, the month is over a day early, and no client can know that.
    if (!model.signedIn.has('ada') || model.choices.skew === 'plus_1_day') continue
    await world.observe(`ada, ${hours} h`, model.people.ada)
    await read(model)
    world.advance(SECOND)
    await press(model, 'ada')
    await world.observe(`ada after a press, ${hours} h`, model.people.ada)
  }
})

const othersSpend = command('others use a part of the month', [], async (_, world) =>
  world.othersUse({ month: 3 }),
)

/** Two readings while others send at a steady rate: the rate is known from the second one on. */
const steadyOthers = command('others use the month steadily', ['ada'], async (model, world) => {
  const startMs = world.now()
  const until = (ms: number) => world.advance(Math.max(0, startMs + ms - world.now()))
  world.othersUse({ month: 1 })
  until(2 * MINUTE)
  await read(model)
  for (let period = 1; period <= 4; period += 1) {
    until(period * 12 * HOUR)
    world.othersUse({ month: 1 })
    until(period * 12 * HOUR + 2 * MINUTE)
    if (period === 2) await read(model)
    world.areOthersUnknown = period < 2 || model.choices.shared === 'yes'
    world.advance(SECOND)
    await press(model, 'ada')
    // A minute exceeds the error in reading the service's clock.
    until(period * 12 * HOUR + 3 * MINUTE)
    await world.observe(`ada, steady others, ${period}`, model.people.ada)
  }
  world.areOthersUnknown = true
})

// Trouble

const trouble = (kind: string) =>
  command(`the service has trouble: ${kind}`, ['ada'], async (model, world) => {
    world.app.sandbox.control.addFault({ operation: 'organization', kind })
    model.because('trouble at a read', ['ada'])
    await press(model, 'ada')
    world.app.sandbox.control.clearFaults()
    world.advance(MINUTE)
  })

const lostRefresh = command('the answer to a refresh is lost', ['ada'], async (model, world) => {
  world.advance(HOUR + MINUTE)
  world.app.sandbox.control.addFault({ operation: 'token', kind: 'lost' })
  model.because('trouble at a refresh', ['ada'])
  await press(model, 'ada')
  world.app.sandbox.control.clearFaults()
  await recover(model, world)
})

/** The database rejects a session just when its tokens were replaced; later refreshes use the new ones. */
const noWrites = command('sessions cannot be written', ['ada'], async (model, world) => {
  world.advance(HOUR + MINUTE)
  model.because('no writes', ['ada'])
  await world.withoutWrites(async () => void (await press(model, 'ada')))
  for (let refreshes = 0; refreshes < 2; refreshes += 1) {
    world.advance(HOUR + MINUTE)
    await recover(model, world)
  }
})

/** All values that make a sign-in impossible come back while Ada is signed in. */
const impossibleAgain = command('impossible values come back', ['ada'], async (model, world) => {
  for (const choice of ['slow', 'clientauth', 'tokstatus'] as const) {
    const value = model.setBack[choice]
    if (value === undefined) continue
    world.choose({ [choice]: value })
    model.because('an impossible value')
    // The answer to a refresh, with the new tokens, may be unreadable.
    if (choice !== 'slow') model.because('trouble at a refresh', ['ada'])
    // `slow` delays every answer; the other values affect a refresh.
    world.advance(choice === 'slow' ? MINUTE : HOUR + MINUTE)
    const { code } = await press(model, 'ada')
    if (code === 'ok') world.recording.faults.push(`${choice}=${value} while signed in: ok`)
    world.choose({ [choice]: DEFAULT_CHOICES[choice] })
    await recover(model, world)
  }
})

const loseTokens = command('the service forgets the access tokens', [], async (model, world) => {
  world.edit((state) => void (state.access_tokens = {}))
  model.because('lost token')
})

// Access ends

/** Ben withdraws his permission: on the service's page if it has one, otherwise through its operators. */
const withdraw = command('ben withdraws his permission', ['ben'], async (model, world) => {
  const { ben } = model.people
  model.because('permission withdrawn', ['ben'])
  const isListed = Object.values(world.look().state.grants).some(({ person_id }) => person_id === 'ben')
  if (isListed && model.choices.states === 'grants_withdrawable') await ben.withdraw()
  else world.edit((state) => endGrants(state, ({ person_id }) => person_id === 'ben'))
  const cookies = new Map(ben.cookies)
  // When the access token has expired, the client must have noticed the end.
  for (const ms of [SECOND, HOUR + MINUTE]) {
    world.advance(ms)
    const { code } = model.signedIn.has('ben') ? await press(model, 'ben') : { code: '' }
    if (code === 'ok') world.recording.faults.push('a press worked after the permission was withdrawn')
  }
  await useAfterEnd(world, ben, cookies, 'the withdrawal')
  model.signedIn.delete('ben')
})

/** The state that the service deletes with a grant (RFC 7009 2.1). */
function endGrants(
  state: Parameters<Parameters<World['edit']>[0]>[0],
  isEnded: (grant: { person_id: string }) => boolean,
): void {
  const ended = new Set(
    Object.keys(state.grants).filter((id) => isEnded(state.grants[id] ?? { person_id: '' })),
  )
  const left = <T extends { grant_id: string }>(issued: Record<string, T>) =>
    Object.fromEntries(Object.entries(issued).filter(([, { grant_id }]) => !ended.has(grant_id)))
  state.refresh_tokens = left(state.refresh_tokens)
  state.codes = left(state.codes)
  state.access_tokens = left(state.access_tokens)
  for (const id of ended) delete state.grants[id]
}

/** An administrator deletes the application and registers it again: no permission is left. */
const deleteApplication = command(
  'the application is deleted and registered again',
  ['ada'],
  async (model, world) => {
    const { applications } = world.look().state
    model.because('application deleted')
    world.edit((state) => {
      state.applications = state.applications.filter(({ client_id }) => client_id !== CONFIG.clientId)
      endGrants(state, () => true)
    })
    const pressTwice = async () => {
      for (const ms of [SECOND, HOUR + MINUTE]) {
        world.advance(ms)
        if (model.signedIn.has('ada')) await press(model, 'ada')
      }
    }
    await pressTwice()
    world.edit((state) => void (state.applications = applications))
    await pressTwice()
  },
)

const deleteKey = command('the key is deleted, and issued again', ['key'], async (model, world) => {
  const { api_keys } = world.look().state
  world.edit(
    (state) => void (state.api_keys = api_keys.filter(({ organization_id }) => organization_id !== 1001)),
  )
  model.because('key deleted', ['key'])
  world.advance(62 * SECOND)
  const { code } = await press(model, 'key')
  if (code === 'ok') world.recording.faults.push('a press worked with a deleted key')
  world.edit((state) => void (state.api_keys = api_keys))
})

const everyoneRecovers = command('ada finds a way on', [], recover)
const fortnight = command('two weeks pass', [], async (model, world) => {
  for (let days = 0; days < 15; days += 5) {
    world.advance(5 * DAY)
    await model.people.ada.session()
    await model.people.cleo.session()
  }
})

export const COMMANDS = {
  misconfigured,
  signIn,
  presses,
  looks,
  together,
  waits,
  untilRefresh,
  enterReading,
  readingInFlight,
  confirm,
  signOut,
  replay,
  deny,
  claims,
  recover: everyoneRecovers,
  useUpMinute,
  useUpTokenEndpoint,
  useUpMonth,
  othersUseMonth,
  othersSpend,
  steadyOthers,
  nextMonth,
  trouble,
  lostRefresh,
  noWrites,
  impossibleAgain,
  loseTokens,
  withdraw,
  deleteApplication,
  deleteKey,
  fortnight,
} as const

const KINDS = ['server_error', 'html', 'garbage', 'truncate', 'lost']
const hourLater = waits(HOUR + MINUTE, 'an hour')
const ages = [
  waits(SECOND, 'a second'),
  untilRefresh(MINUTE + SECOND, 'long before'),
  untilRefresh(SECOND, 'just before'),
  untilRefresh(0, 'when'),
  hourLater,
]
const atEveryAge = (['read', 'check'] as const).flatMap((what) =>
  [...ages, loseTokens, waits(SECOND, 'a second')].flatMap((age) => [age, presses('ada', what)]),
)
const untilNextRefresh = [hourLater, enterReading]

/** Everything once, in an order in which each command can have its effect. */
export const TOUR: readonly Command[] = [
  misconfigured,
  [signIn('ada'), looks('ada'), presses('ada'), presses('ada', 'check')],
  [signIn('ben'), signIn('cleo'), together, looks('ada'), looks('cleo')],
  [claims('made-up code'), replay('callback'), replay('state')],
  [waits(24 * MINUTE, '24 minutes'), looks('ada'), waits(24 * MINUTE, '24 minutes'), looks('ada')],
  [...KINDS.map(trouble), hourLater, presses('ada')],
  atEveryAge,
  [hourLater, enterReading, waits(6 * MINUTE, '6 minutes'), presses('ada'), ...untilNextRefresh],
  [waits(6 * MINUTE, '6 minutes'), presses('ada', 'check'), ...untilNextRefresh],
  [signOut('ada'), signIn('ada'), ...untilNextRefresh, confirm, ...atEveryAge],
  [
    othersSpend,
    enterReading,
    useUpMinute(false),
    hourLater,
    together,
    loseTokens,
    presses('ada'),
    everyoneRecovers,
  ],
  [useUpMonth, nextMonth, everyoneRecovers, useUpTokenEndpoint, everyoneRecovers, impossibleAgain],
  [lostRefresh, noWrites, othersSpend],
  [readingInFlight('not counted yet'), readingInFlight('counted'), steadyOthers],
  [signIn('ben'), withdraw, fortnight, everyoneRecovers, deny, signIn('cleo'), claims('permission')],
  [signIn('ada on her phone'), together, othersUseMonth, nextMonth, everyoneRecovers, useUpMinute(true)],
  [deleteApplication, everyoneRecovers, signOut('ada')],
  [signIn('key'), signIn('key of business'), presses('key'), presses('key of business', 'check'), together],
  [deleteKey, signOut('key'), signOut('key of business')],
].flat()

/** For random runs. A sign-in comes often, because without one little is possible. */
export const anyCommands = (replayPath?: string) =>
  fc.commands(
    [
      fc.constantFrom<Name>('ada', 'ada', 'ben', 'cleo', ...NAMES).map(signIn),
      fc
        .tuple(fc.constantFrom(...NAMES), fc.constantFrom('read' as const, 'check' as const))
        .map((all) => presses(...all)),
      fc.constantFrom(...ages, waits(DAY, 'a day'), fortnight),
      fc.constantFrom(
        looks('ada'),
        looks('cleo'),
        together,
        signOut('ada'),
        signOut('key'),
        misconfigured,
        deny,
      ),
      fc.constantFrom(replay('callback'), replay('state'), claims('made-up code'), claims('permission')),
      fc.constantFrom(enterReading, readingInFlight('counted'), readingInFlight('not counted yet'), confirm),
      fc.constantFrom(useUpMinute(true), useUpMinute(false), useUpTokenEndpoint, othersSpend, steadyOthers),
      fc.constantFrom(useUpMonth, othersUseMonth, nextMonth, nextMonth, everyoneRecovers),
      fc.constantFrom(...KINDS.map(trouble), lostRefresh, noWrites, impossibleAgain, loseTokens),
      fc.constantFrom(withdraw, deleteApplication, deleteKey, everyoneRecovers),
    ],
    { size: 'max', maxCommands: 40, ...(replayPath !== undefined && { replayPath }) },
  )
