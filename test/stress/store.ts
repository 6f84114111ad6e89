/** The database file is locked, full, read-only, damaged or deleted while the app is running: no person is signed out, nothing is lost. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { BUSINESS } from '../_fixture.ts'
import { quickCheck, readLedger } from './ledger-check.ts'
import { openPerson, type Person, signIn } from './person.ts'
import { isSignedIn, isSignOut, press, type Pressed, pressEverySecond } from './presses.ts'
import { type Probed, startProbe } from './probe.ts'
import { openSetup, type Setup } from './process.ts'
import type { Report } from './report.ts'
import { mountSmall } from './small-disk.ts'
import { STORE_FAULTS, type StoreFault } from './store-faults.ts'

const PATH = `/organizations/${BUSINESS}`
const OTHER_PATH = '/organizations'
const USABLE_WITHIN_S = 10

/**
 * @param rounds how many seconds each fault lasts
 * @param only names of faults; absent: all
 */
export async function run(report: Report, rounds = 10, only?: readonly string[]): Promise<void> {
  const found: Record<string, Found> = {}
  for (const fault of STORE_FAULTS.filter(({ name }) => only?.includes(name) ?? true)) {
    const unmount = fault.isSmall ? mountSmall() : undefined
    const folder = unmount?.folder ?? mkdtempSync(join(tmpdir(), 'plimsoll-stress-'))
    try {
      if (fault.isSmall && unmount === undefined) throw new Error('no small file system can be mounted')
      found[fault.name] = await runFault(fault, folder, rounds * 1000)
    } catch (error) {
      report.line(`NOT RUN: ${fault.name}: ${(error as Error).message}`)
      report.failures.push(`${fault.name} was not run`)
    } finally {
      unmount?.remove()
    }
    const one = found[fault.name]
    if (one !== undefined) reportFault(report, fault, one)
  }
}

/** The people of one run. */
interface People {
  /** Has a read on its way to the service when the fault begins. */
  reading: Person
  /** Has a refresh on its way to the service when the fault begins. */
  refreshing: Person
  /** Presses while the fault lasts. */
  pressing: Person
  /** Has signed out before. */
  signedOut: Person
  /** Signs in while the fault lasts. */
  newcomer: Person
}

interface Found {
  /** What was on its way when the fault began. */
  held: Pressed[]
  during: Pressed[]
  after: Pressed[]
  probed: Probed
  signOuts: number
  usableAfterS: number
  /** Reads that the service answered, and whose answer did not reach the person who pressed. */
  thrownAway: number
  /** Reads that were answered, less those in the ledger. */
  unrecorded: number
  /** Sign-ins and sign-outs that were acknowledged, and that did not last. */
  undone: number
  ended: number
  isWell: boolean
}

async function runFault(fault: StoreFault, folder: string, faultMs: number): Promise<Found> {
  const setup = await openSetup({ processes: 1, folder })
  const people = openPeople(setup)
  let endProbe: (() => Promise<Probed>) | undefined
  try {
    await signInAll(setup, people)
    endProbe = startProbe(() => current(setup))
    const service = holdAnswers(setup)
    const held = [press(people.reading, PATH), press(people.refreshing, PATH)]
    await service.arrived(2)
    const end = fault.begin(setup.storePath)
    let isOn = true
    const during: Promise<Pressed[]>[] = []
    let signingIn: Promise<boolean>
    try {
      service.release()
      during.push(pressEverySecond(people.pressing, [PATH], () => !isOn))
      during.push(pressEverySecond(people.reading, [OTHER_PATH], () => !isOn))
      signingIn = signIn(people.newcomer, BUSINESS).then(() => true, () => false)
      await wait(faultMs)
    } finally {
      isOn = false
      end()
    }
    const endedAtMs = performance.now()
    const pressed = [...(await Promise.all(held))]
    const failing = (await Promise.all(during)).flat()
    const isNew = await signingIn
    const { after, usableAfterS } = await pressUntilUsable(people, endedAtMs)
    const probed = await endProbe()
    const before = { held: pressed, during: failing, after }
    const ended = current(setup).isRunning() ? 0 : 1
    const later = await restart(setup, people)
    const all = [...pressed, ...failing, ...after, ...later]
    const answered = all.filter(({ status }) => status === 200).length
    return {
      ...before,
      probed,
      usableAfterS,
      ended,
      signOuts: all.filter(isSignOut).length + (await countSignedOut(people)),
      thrownAway: service.answered() - answered,
      unrecorded: Math.max(0, answered - readLedger(setup.storePath, BUSINESS).high),
      undone: [isNew && !(await isSignedIn(people.newcomer)), await isSignedIn(people.signedOut)].filter(Boolean).length,
      isWell: later.every(({ status }) => status === 200) && quickCheck(setup.storePath) === 'ok',
    }
  } finally {
    await endProbe?.()
    await Promise.all(Object.values(people).map((person: Person) => person.close()))
    await setup.close()
  }
}
