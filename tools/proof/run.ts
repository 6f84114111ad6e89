/** Runs the journey of a client at one service in virtual time. */
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import { type Breakage, openContext } from './context.ts'
import { Journey } from './journey.ts'
import type { Recording } from './recording.ts'
import { appDeleted, byKey, grantWithdrawn, signOut } from './steps-end.ts'
import {
  anotherKeyUsesMonth,
  exhaustMinute,
  exhaustMonth,
  exhaustTokenEndpoint,
  nextMonth,
} from './steps-limits.ts'
import { firstReading, laterReadings } from './steps-readings.ts'
import {
  deny,
  earlierThisMonth,
  madeUpCode,
  misconfigured,
  otherOrganization,
  otherUsers,
  read,
  replay,
  signIn,
} from './steps-sign-in.ts'
import {
  expire,
  fortnight,
  idle,
  losesAccessToken,
  serviceTrouble,
  setBackAgain,
  storeTrouble,
} from './steps-use.ts'

export interface JourneyOptions {
  unaided?: boolean
  breakage?: Breakage
}

const STEPS: readonly ((journey: Journey) => Promise<void>)[] = [
  misconfigured,
  signIn,
  earlierThisMonth,
  read,
  otherUsers,
  madeUpCode,
  replay,
  idle,
  firstReading,
  exhaustMinute,
  expire,
  losesAccessToken,
  exhaustMonth,
  nextMonth,
  exhaustTokenEndpoint,
  setBackAgain,
  serviceTrouble,
  storeTrouble,
  laterReadings,
  anotherKeyUsesMonth,
  grantWithdrawn,
  fortnight,
  deny,
  otherOrganization,
  appDeleted,
  signOut,
  byKey,
]

export async function runJourney(choices: Choices, options: JourneyOptions = {}): Promise<Recording> {
  const context = openContext(choices, options.breakage)
  const { recording } = context
  const journey = new Journey(context, options.unaided === true)
  try {
    for (const step of STEPS) await step(journey)
    journey.finish()
  } catch (error) {
    recording.faults.push(`it broke off: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await context.close()
  }
  return recording
}
