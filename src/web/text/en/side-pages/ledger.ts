import { plural } from '../plural.ts'

export const ledger = {
  title: 'Ledger',
  lead: 'What used the quota: every request of this app in this month, recorded before it was sent.',
  others: 'Others in the organization spend from the same month without this app: they are not in the list.',
  loading: 'Loading the ledger, free…',
  readAgain: 'Read again · free',
  changed: 'The month’s count has changed since.',
  none: 'No request was sent in this month.',
  byKind: 'By what it was for',
  byDay: 'By day, in UTC',
  day: 'Day',
  thatCount: 'Requests that count',
  heading: 'Requests, newest first',
  ofLoaded: (shown: number, loaded: number) =>
    `${shown} of ${plural(loaded, 'request')} that are loaded. There are more.`,
  ofMonth: (shown: number, loaded: number) => `${shown} of ${plural(loaded, 'request')} of this month.`,
  loadMore: 'Load more · free',
  download: 'Download as CSV · free',
  newestOnly: (rows: number) => `The newest ${rows} requests are in it.`,
  all: 'all',
  /** Each member of an entry, as a column or a filter. */
  members: { at: 'When', kind: 'For', by: 'Who', initiator: 'Why', outcome: 'Outcome', counts: 'Counted' },
  kind: {
    'api.read': 'Read',
    'api.update': 'Update',
    rate_limit: 'Check of the limits',
    'token.code': 'Exchange of the sign-in code',
    'token.refresh': 'Renewal of the access',
  },
  initiator: { sign_in: 'at the sign-in', person: 'for a press', call: 'to go on with a press' },
  by: { you: 'You', another: 'Another person or browser' },
  outcome: {
    settled: 'answered',
    reserved: 'no answer yet',
    uncertain: 'no answer came',
    void: 'never sent',
  },
  counts: { yes: 'counted', no: 'not counted', unknown: 'may count' },
  /** Why it counts, or not. */
  reasons: {
    succeeded: 'it succeeded',
    refusalsCount: 'refused requests count too',
    notSent: 'it was not sent',
    neverCounts: 'such requests do not count',
    mayBeLost: 'it may not have arrived',
    unknownSort: 'the service does not say whether such requests do',
    unknownRefusal: 'the service does not say whether refusals do',
  },
}
