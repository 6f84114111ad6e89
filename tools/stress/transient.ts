/**
 * Temporary failures of the token endpoint: no sign-out, no storm of requests, all works soon after (5.4).
 */
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { BUSINESS } from '../../test/kit/app.ts'
import { openPerson, type Person, signIn } from './person.ts'
import { isSignedIn, isSignOut, type Pressed, pressEverySecond } from './presses.ts'
import { openSetup } from './process.ts'
import type { Report } from './report.ts'
import { openService, type Service } from './service.ts'
import { type Forward, openForward } from './tcp-forward.ts'
import { TRANSIENT_KINDS, type TransientKind } from './transient-kinds.ts'

const PATHS = ['/organizations', `/organizations/${BUSINESS}`, '/rate_limit']
const USABLE_WITHIN_S = 40
/** An access token of this lifetime is out of date after a second at most, and valid for half a minute. */
const SHORT_LIFETIME_S = 31
const AT_THE_SAME_TIME = 8
const GIVE_UP_AFTER_MS = 45_000

/**
 * @param rounds how many of the kinds; absent means all
 * @param faultMs how long each lasts
 */
export async function run(report: Report, rounds = TRANSIENT_KINDS.length, faultMs = 12_000): Promise<void> {
  const every = Math.max(1, Math.floor(TRANSIENT_KINDS.length / rounds))
  const kinds = TRANSIENT_KINDS.filter((_, nth) => nth % every === 0).slice(0, rounds)
  let signOuts = 0
  for (let nth = 0; nth < kinds.length; nth += AT_THE_SAME_TIME)
    for (const { kind, found } of await runTogether(kinds.slice(nth, nth + AT_THE_SAME_TIME), faultMs)) {
      reportKind(report, kind, found, faultMs)
      signOuts += found.signOuts
    }
  report.line(`${kinds.length} kinds, ${signOuts} sign-outs`)
}

async function runTogether(
  kinds: readonly TransientKind[],
  faultMs: number,
): Promise<{ kind: TransientKind; found: Found }[]> {
  const opened: Opened[] = []
  try {
    for (const kind of kinds) opened.push(await open(kind))
    return await Promise.all(opened.map((one) => runKind(one, faultMs)))
  } finally {
    await Promise.all(opened.map(({ close }) => close()))
  }
}

interface Opened {
  kind: TransientKind
  service: Service
  forward: Forward
  fault: Fault
  /** The access token is out of date by the app's clock, and valid at the service. */
  stale: Person
  /** The service refuses the access token. */
  refused: Person
  close: () => Promise<void>
}

async function open(kind: TransientKind): Promise<Opened> {
  const service = await openService()
  const forward = await openForward(service.url)
  const setup = await openSetup({
    service,
    folder: memoryFolder(),
    env: { PLIMSOLL_SERVICE_URL: forward.url },
  })
  const people: Person[] = []
  const close = async () => {
    await Promise.all(people.map((person) => person.close()))
    await setup.close()
    await forward.close()
    await service.close()
  }
  try {
    const app = await setup.start()
    const [stale, refused] = [openPerson(service, app), openPerson(service, app)]
    people.push(stale, refused)
    await signIn(refused, BUSINESS)
    const [token = ''] = Object.keys(service.sandbox.snapshot().access_tokens)
    return { kind, service, forward, fault: faultOf(service, kind, token), stale, refused, close }
  } catch (error) {
    await close()
    throw error
  }
}

interface Fault {
  begin: () => void
  end: () => void
  refusals: () => number
}

/** From its beginning one access token is refused; until its end refreshes fail in the way of the kind. */
function faultOf(service: Service, { answer }: TransientKind, token: string): Fault {
  let [isOn, refusals] = [false, 0]
  let end = () => {}
  const well = new Promise<void>((resolve) => {
    end = resolve
  })
  return {
    begin() {
      isOn = true
      service.intercept(async (request, through, { grant }) => {
        if (grant === 'refresh_token' && isOn && answer) return answer(() => through(request), well)
        if (request.headers.get('Authorization') !== `Bearer ${token}`) return through(request)
        refusals += 1
        return through(new Request(request.url, { headers: { Authorization: 'Bearer of-no-one' } }))
      })
    },
    end() {
      isOn = false
      end()
    },
    refusals: () => refusals,
  }
}

interface Found {
  /** Presses of either person during the fault, by status. */
  stale: Pressed[]
  refused: Pressed[]
  refreshes: number
  refusals: number
  /** Seconds from the end of the fault to the first answer; infinite if there was none. */
  usableAfterS: { stale: number; refused: number }
  signOuts: number
}

async function runKind(
  { kind, service, forward, fault, stale, refused }: Opened,
  faultMs: number,
): Promise<{ kind: TransientKind; found: Found }> {
  service.lifetimeSeconds.code = SHORT_LIFETIME_S
  await signIn(stale, BUSINESS)
  await wait(1000)
  const before = service.refreshes()
  fault.begin()
  if (kind.answer === undefined) await forward.refuse()
  let isOn = true
  const during = [stale, refused].map((person) => pressEverySecond(person, PATHS, () => !isOn))
  await wait(faultMs)
  const refreshes = service.refreshes() - before
  isOn = false
  if (kind.answer === undefined) await forward.accept()
  fault.end()
  const endedAtMs = performance.now()
  const after = await Promise.all(
    [stale, refused].map(async (person, nth) => {
      const pressed = await during[nth]
      const isOver = (last: readonly Pressed[]) =>
        last.some(({ status }) => status === 200) || performance.now() - endedAtMs > GIVE_UP_AFTER_MS
      const later = await pressEverySecond(person, PATHS, isOver)
      const all = [...(pressed ?? []), ...later]
      const first = all.find(
        ({ status, startedAtMs, tookMs }) => status === 200 && startedAtMs + tookMs >= endedAtMs,
      )
      const usableAfterS = first ? (first.startedAtMs + first.tookMs - endedAtMs) / 1000 : Infinity
      const isOut = all.some(isSignOut) || !(await isSignedIn(person))
      return { pressed: pressed ?? [], usableAfterS, isOut }
    }),
  )
  const [ofStale, ofRefused] = after as [(typeof after)[0], (typeof after)[0]]
  const found = {
    stale: ofStale.pressed,
    refused: ofRefused.pressed,
    refreshes,
    refusals: fault.refusals(),
    usableAfterS: { stale: ofStale.usableAfterS, refused: ofRefused.usableAfterS },
    signOuts: after.filter(({ isOut }) => isOut).length,
  }
  return { kind, found }
}

function reportKind(report: Report, kind: TransientKind, found: Found, faultMs: number): void {
  const failed = [...found.stale, ...found.refused].filter(({ status }) => status !== 200)
  const statuses = [...new Set(failed.map(({ status, code }) => `${status} ${code ?? 'no answer'}`))].join(
    ', ',
  )
  const usable = Math.max(...Object.values(found.usableAfterS))
  report.counts(
    `${kind.name} (${failed.length} of ${found.stale.length + found.refused.length} presses failed: ${statuses})`,
    {
      'sign-outs': found.signOuts,
      'token requests during the fault': found.refreshes,
      'the refused token was sent': found.refusals,
      'usable again after s': Math.ceil(usable),
      // If nothing can be reached, reads fail too, and nobody knows for how long.
      'failures that name no wait': failed.filter(
        ({ retryInMs, code }) =>
          retryInMs === undefined && (kind.answer !== undefined || code !== 'upstream_down'),
      ).length,
      'not served with a token that is good': isQuick(kind)
        ? found.stale.filter(({ status }) => status !== 200).length
        : 0,
    },
    {
      'sign-outs': 0,
      'token requests during the fault': `<= ${2 * TOKEN_REQUESTS(faultMs)}`,
      'the refused token was sent': `<= ${PATHS.length}`,
      'usable again after s': `<= ${USABLE_WITHIN_S}`,
      'failures that name no wait': 0,
      'not served with a token that is good': 0,
    },
  )
}

/** In memory: on a disk several databases would wait for one another. No loss of power is tested here. */
const memoryFolder = (): string =>
  mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'plimsoll-stress-'))

/** Kinds that are answered at once, so that nobody waits before the present token is used. */
const isQuick = ({ name, answer }: TransientKind): boolean =>
  answer !== undefined && !/no answer|byte/.test(name)

/** A wait that doubles from 1 s, with jitter, leaves about one for each doubling, and a few by chance. */
const TOKEN_REQUESTS = (faultMs: number): number => 4 + Math.ceil(Math.log2(faultMs / 1000 + 1))
