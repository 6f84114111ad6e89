import { plural } from '../plural.ts'

export const month = {
  heading: 'This month',
  loading: 'Loading, free…',
  notKnown: 'Not known.',
  /** "3–5"; `spoken` for screen readers. */
  span: (low: string, high: string) => `${low}–${high}`,
  spokenSpan: (low: string, high: string) => `${low} to ${high}`,
  plan: (name: string) => `Plan ${name}, guessed from the limits seen`,
  namedPlan: (name: string) => `Plan ${name}`,
  noPlan: 'Plan not yet seen',
  ledgerLink: 'What used it: the ledger, free',
  headline: {
    suspected: 'Probably used up',
    none: 'None left',
    ofLimit: (limit: string) => `of ${limit}`,
    left: (count: string) => count,
    atMost: (count: string) => `At most ${count}`,
    leftOfLimit: (limit: string) => `left of ${limit}`,
    sent: 'sent by this app',
    sentUnlimited: 'sent by this app, no limit',
  },
  states: {
    none: 'Used up by the organization',
    noneByThisApp: 'Used up by this app alone',
    plenty: 'Plenty',
    own: 'Only this app is counted',
    low: 'Low',
    unlimited: 'Unlimited on Business',
    unseen: 'Limit not yet known',
    /** @param at an instant */
    refused: (at: string) => `Refused at ${at}`,
  },
  bar: {
    label: 'Requests used this month',
    spokenOrganization: (used: string, limit: string) =>
      `${used} of ${limit} requests used by the organization`,
    spokenApp: (used: string, limit: string) =>
      `${used} of ${limit} requests used by this app, others not counted`,
    own: (count: string) => `this app ${count}`,
    others: (count: string) => `others ${count}`,
    othersNotKnown: 'others not known',
    uncertain: (count: string) => `not certain ${count}`,
  },
  count: {
    unlimited: 'Others in the organization are not counted.',
    own: (used: string, limit: string) =>
      `This app has used ${used}. Others in the organization spend from the same ${limit}.`,
    organization: (used: string, limit: string, own: string) =>
      `The organization has used ${used} of ${limit}, this app ${own} of them.`,
  },
  how: {
    heading: 'How we know',
    counted: 'The service does not report the month, so this app counts what it sends.',
  },
  uncertain: {
    organization: 'The upper end also has what may count, and what others may have used since the reading.',
    own: (low: string, high: string) =>
      `Between ${low} and ${high}: the service does not say whether every one counts.`,
  },
  reserve: (person: string, signIn: string) =>
    `The last ${person} are for presses of a person, the last ${signIn} for signing in.`,
  allowance: {
    none: 'None until the reset.',
    probablyNone: 'Probably none until the reset.',
    lessThanOne: 'Less than one a day until the reset.',
    about: (count: string) => `About ${count} a day until the reset.`,
    atMost: (count: string) => `At most ${count} a day until the reset.`,
  },
  forecast: {
    tooEarly: 'It is too early for a forecast.',
    stale: 'The newest reading is too old for a forecast.',
    pace: (end: string) => `At this pace ${end}.`,
    ownPace: (end: string) => `At the pace of this app alone ${end}.`,
    early: (end: string) => `${end} (an early estimate)`,
    onPace: 'it lasts until the reset',
    under: (count: number) => `${plural(count, 'request')} will be left at the reset`,
    over: (count: number) => `${plural(count, 'request')} of the reserve will be used by the reset`,
    runsOut: (day: string) => `it lasts until ${day}`,
  },
  binding: {
    onlyMinute: 'The minute is the only limit.',
    minute: 'At present the minute limits you.',
    month: 'The month, not the minute, limits you.',
  },
  resets: (day: string, wait: string, when: string) => `Resets ${day}, in about ${wait}: ${when} your time.`,
  clock: {
    ahead: (span: string) => `This device’s clock is ${span} ahead; dates here follow the server.`,
    behind: (span: string) => `This device’s clock is ${span} behind; dates here follow the server.`,
  },
  resetsAt: (at: string) => `at ${at}`,
  resetsBetween: (earliest: string, latest: string) => `between ${earliest} and ${latest}`,
  mayHaveReset:
    'The count may have been reset already, or is within about a day: the service does not show in which time zone its month begins.',
  readCount: 'Read the real count',
  readAgo: (ago: string) => `Read ${ago}.`,
  lookingForReadings: 'Looking for earlier readings…',
  wanted: {
    none: 'The plan page of the service shows the count of everybody.',
    old: 'The real count was read more than 5 days ago.',
    half: 'More than half of the month may be used since the real count was read.',
    four_fifths: 'More than four fifths of the month may be used since the real count was read.',
    reserve: 'Nearly all of the month may be used since the real count was read.',
    suspected: 'The plan page of the service shows whether the month is used up.',
    below_own: 'The number that was entered is lower than what this app alone has used.',
  },
}
