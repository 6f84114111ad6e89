import type { Sufficiency } from '../../../../contract/months.ts'

export const months = {
  title: 'The months before',
  lead: 'What your organization used in the last twelve months, as far as this app knows.',
  loading: 'Loading the months…',
  first: 'This is the first month that this app knows. Come back next month to compare.',
  plans: 'Which plan would have been enough?',
  enough: (plan: string, limit: string, enough: string, all: string) =>
    `${plan} (${limit} requests a month) would certainly have been enough in ${enough} of ${all} months.`,
  /** By the other values of `Sufficiency`. */
  notEnough: {
    too_little: (months: string) => `Not in ${months}.`,
    running: (months: string) => `Not certain, still running: ${months}.`,
    others_unknown: (months: string) => `Not certain, others unknown: ${months}.`,
    read_early: (months: string) => `Not certain, last count entered too early: ${months}.`,
    inexact: (months: string) => `Not certain, count not exact: ${months}.`,
  } satisfies Record<Exclude<Sufficiency, 'enough'>, unknown>,
  unlimited: (plan: string) => `${plan} has no monthly limit, so no month would have run out.`,
  known:
    '“Enough” is certain only for a month that is over, with the service’s count entered in its last three days.',
  heading: 'Month by month',
  utc: 'Past months are counted in UTC. Each bar shows this app, what may count, and other apps.',
  month: 'Month',
  own: 'This app',
  others: 'Other apps',
  bar: 'Requests',
  plan: 'Plan',
  used: (count: string) => `${count} used`,
  byOthers: (count: string) => `others ${count}`,
  noOthers: 'others unknown',
  noPlan: 'Plan not known',
  limited: (plan: string, limit: string) => `${plan}, ${limit} a month`,
  ranOut: (plan: string, day: string) => `${plan} · ran out on ${day}`,
}
