/** Rules that hold at every service, whatever it chooses. Each reads a recording and names its violations. */
import { onlySpecified, oneCredential, noSecretLeaves } from './rules-credential.ts'
import {
  never429Twice,
  nothingUnrecorded,
  nothingWhileOver,
  oneTryAMinute,
  oneProbe,
  pausesEnd,
  unprovenChangesNothing,
} from './rules-limit.ts'
import { endsForAReason } from './rules-ending.ts'
import {
  learntIsTrue,
  monthInBetween,
  monthNoWider,
  organizationInBetween,
  suspicionShown,
} from './rules-month.ts'
import {
  closedTable,
  endedStaysEnded,
  noCodeTwice,
  noRefreshTokenTwice,
  noStateTwice,
  onePressOneRequest,
  oneRefreshAtATime,
  onlyAskedFor,
  ownOrganizationOnly,
} from './rules-session.ts'
import type { Found, Recording } from './recording.ts'

type Invariant = (recording: Recording) => Found[]

const RULES = {
  'no secret leaves the bff': noSecretLeaves,
  'never two credentials, never one in an address': oneCredential,
  'nothing but the specified endpoints': onlySpecified,
  'nothing is sent without an action': onlyAskedFor,
  'one press, one request': onePressOneRequest,
  'a 429 is never repeated': never429Twice,
  'one refresh at a time': oneRefreshAtATime,
  'no refresh token twice, but after a lost answer': noRefreshTokenTwice,
  'no code twice': noCodeTwice,
  'no state twice': noStateTwice,
  'a session that has ended stays ended': endedStaysEnded,
  'a session ends for one of the reasons': endsForAReason,
  'an answer is of its own organization': ownOrganizationOnly,
  'nothing is sent that is known to be over': nothingWhileOver,
  'one try a minute while the month is used up': oneTryAMinute,
  'a pause is no longer than its limit': pausesEnd,
  'one probe after a reset': oneProbe,
  'the month is between low and high': monthInBetween,
  'the month is no wider than what is unknown': monthNoWider,
  'with a reading, the month of the organization is between low and high': organizationInBetween,
  'a refusal over the month is shown until it ends': suspicionShown,
  'what is learnt of the service is so': learntIsTrue,
  'a sign-in that is not proven changes no figures': unprovenChangesNothing,
  'the service counts no request that is not recorded': nothingUnrecorded,
  'every failure is one of the table': closedTable,
  'the journey goes as it has to': ({ faults }: Recording) => faults.map((what) => ({ what })),
} satisfies Record<string, Invariant>

const SERVICE_LOG = 'the service has nothing more to say against the client'

export type InvariantName = keyof typeof RULES | typeof SERVICE_LOG

export const INVARIANTS = [...Object.keys(RULES), SERVICE_LOG] as InvariantName[]

/** Every violation, as `invariant: violation`. */
export function violationsOf(recording: Recording): string[] {
  const found = Object.entries<Invariant>(RULES).flatMap(([name, rule]) =>
    rule(recording).map((one) => ({ name, ...one })),
  )
  // The service repeats in its own words what a rule has found.
  const explained = new Set(found.map(({ atMs }) => atMs))
  const more = recording.verdicts
    .filter(({ atMs }) => !explained.has(atMs))
    .map((verdict) => ({ name: SERVICE_LOG, ...verdict }))
  return [...new Set([...found, ...more].map(({ name, what }) => `${name}: ${what}`))]
}

export const violatedBy = (recording: Recording): string[] => [
  ...new Set(violationsOf(recording).map((one) => one.slice(0, one.indexOf(':')))),
]
