/**
 * The database file is locked, full, read-only, damaged or deleted while the app runs: nobody is signed out,
 * nothing is lost.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { BUSINESS, STANDARD } from '../../test/kit/app.ts'
import { quickCheck, readLedger } from './ledger-check.ts'
import type { Person } from './person.ts'
import { isSignedIn, isSignOut, press, type Pressed, pressEverySecond } from './presses.ts'
import { type Probed, startProbe } from './probe.ts'
import { openSetup, type Setup } from './process.ts'
import type { Report } from './report.ts'
import type { Service } from './service.ts'
import { mountSmall } from './small-disk.ts'
import { NotPossible, STORE_FAULTS, type StoreFault } from './store-faults.ts'
import { until } from '../../test/kit/until.ts'
import {
  countSignedOut,
  current,
  newcomerSignsIn,
  openPeople,
  PATH,
  type People,
  pressUntilUsable,
  restart,
  signInAll,
} from './store-people.ts'

/** A lease whose holder could not write must lapse first, 15 s after it was taken. */
const USABLE_WITHIN_S = 20

/** A shorter run tries only these faults; each still lasts longer than a write waits for the lock. */
const SHORT = ['locked']
const FAULT_S = 10

/** @param rounds seconds that each fault lasts */
export async function run(report: Report, rounds = FAULT_S): Promise<void> {
  for (const fault of STORE_FAULTS.filter(({ name }) => rounds >= FAULT_S || SHORT.includes(name))) {
    const disk = fault.isSmall ? mountSmall() : undefined
    if (fault.isSmall && disk === undefined) {
      report.line(`NOT RUN: ${fault.name}: this process may not mount a file system`)
      continue
    }
    try {
      const folder = disk?.folder ?? mkdtempSync(join(tmpdir(), 'plimsoll-stress-'))
      reportFault(report, fault, await runFault(fault, folder, rounds * 1000))
    } catch (error) {
      if (!(error instanceof NotPossible)) throw error
      report.line(`NOT RUN: ${fault.name}: ${error.message}`)
    } finally {
      disk?.remove()
    }
  }
}

interface Found {
  /** Answers to the presses that were in flight when the fault began. */
  heldAndAnswered: number
  /** Answers to all presses that were in flight during the fault. */
  whileFaulty: Pressed[]
  probed: Probed
  signOuts: number
  usableAfterS: number
  /** Reads that the service answered and whose answer did not reach the person. */
  thrownAway: number
  /** Reads that the service answered and that are not in the ledger. */
  unrecorded: number
  /** Acknowledged sign-ins and sign-outs that did not last. */
  undone: number
  /** Processes that ended by themselves. */
  ended: number
  failedAfterRestart: number
  /** The fault that SQLite finds in the file at the end; `ok` for none. */
  check: string
}

async function runFault(fault: StoreFault, folder: string, faultMs: number): Promise<Found> {
  const setup = await openSetup({ processes: 1, folder })
  const people = openPeople(setup)
  let endProbe: ReturnType<typeof startProbe> | undefined
  try {
    await signInAll(setup, people)
    const recordedBefore = readLedger(setup.storePath, BUSINESS).high
    endProbe = startProbe(() => current(setup))
    const answers = holdAnswers(setup.service)
    const held = [press(people.reading, PATH), press(people.refreshing, PATH)]
    await answers.held(held.length)
    const during = await pressDuring(fault, setup, people, faultMs, answers.release)
    const { after, usableAfterS } = await pressUntilUsable(people, during.endedAtMs)
    const probed = await endProbe()
    const ended = current(setup).isRunning() ? 0 : 1
    const later = await restart(setup, people)
    const whileFaulty = [...(await Promise.all(held)), ...during.pressed]
    const all = [...whileFaulty, ...after, ...later]
    const received = all.reduce(
      (sum, { status, spent }) => sum + (status === 200 ? Math.min(1, spent) : 0),
      0,
    )
    const recorded = readLedger(setup.storePath, BUSINESS).high - recordedBefore
    const isUndone = [
      during.isNew && !(await isSignedIn(people.newcomer)),
      (await isSignedIn(people.signedOut)) === true,
    ]
    return {
      heldAndAnswered: (await Promise.all(held)).filter(({ status }) => status === 200).length,
      whileFaulty,
      probed,
      ended,
      usableAfterS,
      signOuts: all.filter(isSignOut).length + (await countSignedOut(people)),
      thrownAway: answers.answered() - received,
      unrecorded: Math.max(0, answers.answered() - recorded),
      undone: isUndone.filter(Boolean).length,
      failedAfterRestart: later.filter(({ status }) => status !== 200).length,
      check: quickCheck(setup.storePath),
    }
  } finally {
    await endProbe?.()
    await Promise.all(Object.values(people).map((person: Person) => person.close()))
    await setup.close()
  }
}

async function pressDuring(
  fault: StoreFault,
  { storePath }: Setup,
  people: People,
  faultMs: number,
  release: () => void,
): Promise<{ pressed: Pressed[]; isNew: boolean; endedAtMs: number }> {
  const end = fault.begin(storePath)
  let isOn = true
  try {
    release()
    const isOver = () => !isOn
    const pressed = [
      pressEverySecond(people.pressing, [PATH], isOver),
      pressEverySecond(people.reading, ['/organizations'], isOver),
    ]
    const signingIn = newcomerSignsIn(people)
    await wait(faultMs)
    isOn = false
    end()
    const endedAtMs = performance.now()
    return { pressed: (await Promise.all(pressed)).flat(), isNew: await signingIn, endedAtMs }
  } finally {
    if (isOn) end()
    isOn = false
  }
}

function holdAnswers(service: Service) {
  let [held, answered] = [0, 0]
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  service.intercept(async (request, through) => {
    const isCounted = !new URL(request.url).pathname.endsWith(STANDARD) && request.method === 'GET'
    const answer = await through(request)
    held += 1
    await released
    if (answer.ok && isCounted) answered += 1
    return answer
  })
  return {
    release: () => release(),
    /** Reads that the service answered, without those of the newcomer. */
    answered: () => answered,
    held: (many: number) => until(() => held >= many),
  }
}

function reportFault(report: Report, { name }: StoreFault, found: Found): void {
  const failed = found.whileFaulty.filter(({ status }) => status !== 200)
  const statuses = [...new Set(failed.map(({ status, code }) => `${status} ${code ?? 'no answer'}`))].join(
    ', ',
  )
  const { asked, late, discounted, slowestMs } = found.probed
  report.line(
    `${name}: ${failed.length} of ${found.whileFaulty.length} presses failed (${statuses}); ${asked} probes, ` +
      `the slowest ${Math.round(slowestMs)} ms, ${discounted} not counted because the machine was busy`,
  )
  const expected = {
    'sign-outs': 0,
    'paid answers thrown away': 0,
    'paid answers not in the ledger': 0,
    'acknowledged and not lasting': 0,
    'failures other than 503': 0,
    'failures that name no wait': 0,
    'probes over 200 ms': 0,
    'usable again after s': `<= ${USABLE_WITHIN_S}`,
    'processes that ended': 0,
    'failed after a restart': 0,
    'files that are damaged': 0,
  } as const
  const counts: Record<keyof typeof expected, number> = {
    'sign-outs': found.signOuts,
    'paid answers thrown away': found.thrownAway,
    'paid answers not in the ledger': found.unrecorded,
    'acknowledged and not lasting': found.undone,
    'failures other than 503': failed.filter(({ status }) => status !== 503).length,
    'failures that name no wait': failed.filter(({ retryInMs }) => retryInMs === undefined).length,
    'probes over 200 ms': late,
    'usable again after s': Math.ceil(found.usableAfterS),
    'processes that ended': found.ended,
    'failed after a restart': found.failedAfterRestart,
    'files that are damaged': found.check === 'ok' ? 0 : 1,
  }
  report.counts(`${name} (${found.heldAndAnswered} of 2 held presses were answered)`, counts, expected)
}
