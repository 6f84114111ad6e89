// People press every second during a fault: nobody is signed out, nothing is lost, and all works soon after.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openService } from '../../test/kit/strict-service.ts'
import { until } from '../../test/kit/until.ts'
import { type AnswerToRefresh, AT_DISK, AT_MACHINE, AT_TOKEN_ENDPOINT, type Fault } from './faults.ts'
import { memoryFolder } from './database.ts'
import { balanced, inLanes, openSetup, type Setup } from './harness.ts'
import { violations } from './holds.ts'
import {
  isSignedIn,
  isSignOut,
  openPerson,
  PATHS,
  type Person,
  type Pressed,
  press,
  pressEverySecond,
  signIn,
  withPeople,
} from './people.ts'
import type { PostgresPair } from './postgres-pair.ts'
import type { Report } from './report.ts'
import { type Forward, openForward } from './tcp-forward.ts'

const USABLE_WITHIN_S = 40
const GIVE_UP_AFTER_MS = 45_000
/** An access token of this lifetime is out of date after a second at most, and valid for half a minute. */
const SHORT_LIFETIME_S = 31
const AT_THE_SAME_TIME = 8

/** Two processes behind a load balancer, the service behind a forward, and what the faults change. */
export interface Scene {
  setup: Setup
  forward: Forward
  postgres: PostgresPair | undefined
  /** A file with the milliseconds that the clock is ahead: of all processes, over PostgreSQL of the first. */
  clock: string
  /** The access token that the service refuses, and how often it was sent. */
  refused: { token?: string; times: number }
  slowMs: number
  answerToRefresh: AnswerToRefresh | undefined
  /** Ends the lock that a fault holds. */
  release: () => void
  recover: () => void
  close: () => Promise<void>
}

export async function openScene(postgres?: PostgresPair, onSmallDisk = false): Promise<Scene> {
  const service = await openService()
  const forward = await openForward(service.url)
  const disk = onSmallDisk ? mountSmall() : undefined
  const env = { PLIMSOLL_SERVICE_URL: forward.url, ...(postgres && { PLIMSOLL_STORE: postgres.url }) }
  const folder = disk?.folder ?? memoryFolder()
  const setup = await openSetup({ service, env, folder })
  const clock = join(folder, 'clock')
  writeFileSync(clock, '0')
  const scene: Scene = {
    setup,
    forward,
    postgres,
    clock,
    refused: { times: 0 },
    slowMs: 0,
    answerToRefresh: undefined,
    release() {},
    recover() {},
    async close() {
      await setup.close()
      await forward.close()
      await service.close()
      disk?.remove()
    },
  }
  answerInScene(scene)
  const preload = { NODE_OPTIONS: `--import=${resolve('test/kit/clock-preload.mjs')}`, CLOCK_FILE: clock }
  try {
    await setup.start(preload)
    // All processes over one file are on one machine, and have its clock.
    await setup.start(setup.database.url.startsWith('sqlite:') && postgres === undefined ? preload : {})
  } catch (error) {
    await scene.close()
    throw error
  }
  return scene
}

function answerInScene(scene: Scene): void {
  const well = new Promise<void>((done) => (scene.recover = done))
  const { setup, refused } = scene
  setup.service.intercept(async (request, through, { grant }) => {
    if (scene.slowMs > 0) await wait(scene.slowMs)
    if (grant === 'refresh_token' && scene.answerToRefresh)
      return scene.answerToRefresh(() => through(request), well)
    if (request.headers.get('Authorization') !== `Bearer ${refused.token}`) return through(request)
    refused.times += 1
    return through(new Request(request.url, { headers: { Authorization: 'Bearer of-no-one' } }))
  })
}

/** A file system of 6 MB; `mount` needs root. */
function mountSmall(): { folder: string; remove: () => void } {
  const at = mkdtempSync(join(tmpdir(), 'plimsoll-small-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', at], { stdio: 'pipe' })
  return {
    folder: mkdtempSync(join(at, 'data-')),
    remove() {
      // Lazily, because the driver closes a file some time after the database.
      execFileSync('umount', ['-l', at], { stdio: 'pipe' })
      rmSync(at, { recursive: true })
    },
  }
}

interface Found {
  /** Presses during the fault, by person. */
  during: Pressed[][]
  refreshes: number
  /** Seconds from the end of the fault until each person had an answer; infinite if one had none. */
  usableAfterS: number
  signOuts: number
}

/** Presses while the fault lasts, and after it until everyone has an answer. */
export async function playFault(
  scene: Scene,
  people: readonly Person[],
  fault: Fault,
  ms: number,
): Promise<Found> {
  const { service } = scene.setup
  const before = service.refreshes()
  await fault.make(scene)
  let isOn = true
  const pressing = people.map((person) => pressEverySecond(person, PATHS, () => !isOn))
  await wait(ms)
  const refreshes = service.refreshes() - before
  isOn = false
  await fault.undo(scene)
  const endedAtMs = performance.now()
  const usableAtMs = ({ startedAtMs, tookMs }: Pressed) => startedAtMs + tookMs
  const during = await Promise.all(pressing)
  const found: Found = { during, refreshes, usableAfterS: 0, signOuts: 0 }
  await Promise.all(
    people.map(async (person, nth) => {
      const isOver = (last: readonly Pressed[]) =>
        last.some(({ status }) => status === 200) || performance.now() - endedAtMs > GIVE_UP_AFTER_MS
      const all = [...(during[nth] ?? []), ...(await pressEverySecond(person, PATHS, isOver))]
      const first = all.find((one) => one.status === 200 && usableAtMs(one) >= endedAtMs)
      const usableAfterS = first ? (usableAtMs(first) - endedAtMs) / 1000 : Infinity
      found.usableAfterS = Math.max(found.usableAfterS, usableAfterS)
      if (all.some(isSignOut) || (await isStillSignedIn(person)) === false) found.signOuts += 1
    }),
  )
  return found
}

/** Asks until a process has its database again. */
export async function isStillSignedIn(person: Person): Promise<boolean | undefined> {
  let isIn: boolean | undefined
  await until(async () => (isIn = await isSignedIn(person)) !== undefined, GIVE_UP_AFTER_MS)
  return isIn
}

/** @param rounds how many ways in which a token endpoint fails; absent means all */
export async function transient(report: Report, rounds = Infinity, faultMs = 12_000): Promise<void> {
  const all = Object.entries({
    'connection refused': AT_MACHINE['the service is cut off'] as Fault,
    ...AT_TOKEN_ENDPOINT,
  })
  const every = Math.max(1, Math.floor(all.length / rounds))
  const chosen = all.filter((_, nth) => nth % every === 0).slice(0, rounds)
  await inLanes(AT_THE_SAME_TIME, chosen, ([name, fault]) => onePressure(report, name, fault, faultMs))
}

/** @param rounds how many faults of the machine; those of the disk are about SQLite */
export async function machine(report: Report, rounds = Infinity, faultMs = 10_000): Promise<void> {
  const isSqlite = report.name.endsWith('sqlite')
  const chosen = Object.entries({ ...(isSqlite ? AT_DISK : {}), ...AT_MACHINE }).slice(0, rounds)
  for (const [name, fault] of chosen) await onePressure(report, name, fault, faultMs)
}

/** The app takes one person's token for expired, which it is not; the service refuses another's. */
async function onePressure(report: Report, name: string, fault: Fault, faultMs: number): Promise<void> {
  const scene = await openScene(undefined, fault.onSmallDisk)
  const { setup } = scene
  const { service } = setup
  const next = balanced(setup)
  try {
    await withPeople([openPerson(service, next), openPerson(service, next)], async (people) => {
      const [stale, refused] = people as [Person, Person]
      await signIn(refused)
      const [token = ''] = service.secrets
      service.lifetimeSeconds.code = SHORT_LIFETIME_S
      await signIn(stale)
      await wait(1000)
      scene.refused.token = token
      const found = await playFault(scene, people, fault, faultMs)
      const wrong = await violations(setup, { nowMs: Date.now() + (fault.aheadMs ?? 0) })
      for (stale.to of setup.apps)
        if ((await press(stale, PATHS[0])).status === 0) wrong.push('a process does not answer')
      write(report, name, { fault, found, faultMs, refusals: scene.refused.times, wrong })
    })
  } finally {
    await scene.close()
  }
}

interface Seen {
  fault: Fault
  found: Found
  faultMs: number
  refusals: number
  wrong: string[]
}

function write(report: Report, name: string, { fault, found, faultMs, refusals, wrong }: Seen): void {
  const failed = found.during.flat().filter(({ status }) => status !== 200)
  const kinds = [...new Set(failed.map(({ status, code }) => `${status} ${code ?? 'no answer'}`))].join(', ')
  const { length: all } = found.during.flat()
  const [stale = []] = found.during
  // Nobody knows for how long nothing can be reached, and a process that hung may have lost a connection.
  const isMute = ({ status, retryInMs, code }: Pressed) =>
    retryInMs === undefined && code !== 'upstream_down' && (fault.endpoint !== undefined || status !== 0)
  const mute = failed.filter(isMute)
  const counts = {
    'sign-outs': found.signOuts,
    'token requests during the fault': found.refreshes,
    'the refused token was sent': refusals,
    'usable again after s': Math.ceil(found.usableAfterS),
    'failures that name no wait': mute.length,
    'not served with a token that is good': stale.filter(({ status }) => status !== 200).length,
    'does not hold': wrong.length,
  }
  report.counts(`${name} (${failed.length} of ${all} presses failed: ${kinds})`, counts, {
    'sign-outs': 0,
    'usable again after s': `<= ${USABLE_WITHIN_S}`,
    'failures that name no wait': 0,
    'does not hold': 0,
    ...(fault.endpoint && {
      'token requests during the fault': `<= ${2 * mostTokenRequests(faultMs)}`,
      'the refused token was sent': `<= ${2 * PATHS.length}`,
    }),
    ...(fault.endpoint === 'quick' && { 'not served with a token that is good': 0 }),
  })
  for (const line of wrong) report.line(`  ${line}`)
}

/** A wait that doubles from 1 s, with jitter, leaves about one for each doubling, and a few by chance. */
const mostTokenRequests = (faultMs: number): number => 4 + Math.ceil(Math.log2(faultMs / 1000 + 1))
