import type { VerdictWords } from '../../../contract/verdict.ts'
import type { Dictionary } from '../say.ts'

const verdict: Dictionary<VerdictWords> = {
  used_up: ({ resetMs, refusedAgoMs }, { ago, day }) => {
    const end = resetMs === undefined ? 'a new month begins, within a day' : day(resetMs)
    if (refusedAgoMs === undefined) return `Used up until ${end}.`
    return `Used up, it seems, until ${end}: the service refused a request ${ago(refusedAgoMs)}.`
  },
  paused: ({ endsInMs }, { countdown }) => `Paused: ${countdown(endsInMs)}.`,
  runs_out: ({ onMs, resetMs, isEarly }, { day }) =>
    `Runs out on ${day(onMs)} at this pace, before it resets on ${day(resetMs)}${isEarly ? ' (an early estimate)' : ''}.`,
  low: ({ perDay, resetMs }, { number, day }) =>
    `${perDay === 0 ? 'Less than one a day is left' : `Use at most ${number(perDay)} a day`} until it resets on ${day(resetMs)}.`,
  fine: ({ perDay, resetMs }, { number, day }) =>
    `You can use ${number(perDay)} a day until it resets on ${day(resetMs)}.`,
  unsure: ({ limit, ageMs, isLow }, { number, ago }) => {
    if (limit !== undefined) return `${isLow ? 'Low: other' : 'Other'} apps share these ${number(limit)}.`
    if (ageMs !== undefined)
      return `${isLow ? 'Low, but not' : 'Not'} certain: the count is from ${ago(ageMs)}.`
    return 'The month’s limit is not known. A request may show it.'
  },
  turning: () => 'A new month has begun, or will within a day; the service does not say when.',
  unlimited: () => 'No monthly limit on Business: only the speed limit counts.',
}

/** The words of the month, its readings and its chart, and of a press. */
export const month = {
  month: {
    heading: 'This month',
    noPlan: 'Plan not known yet',
    planAndReset: (plan: string, day: string, wait: string) => `${plan} · resets ${day}, in ${wait}`,
    /** The large figure, and what follows it. */
    figure: {
      atMost: (count: string) => `At most ${count}`,
      atLeast: (count: string) => `At least ${count}`,
      left: (count: string) => count,
      of: (limit: string) => `of ${limit} requests left`,
      asOf: (ago: string) => `as of ${ago}`,
      notCounted: 'others not counted',
      known: (left: string, how: string) => `${left} · ${how}`,
      sent: 'sent by this app',
    },
    verdict,
    enter: 'Enter what your plan page says.',
    bar: {
      label: 'Requests left this month',
      left: (count: string) => `left ${count}`,
      leftUnknown: 'left, unless other apps used it',
      own: (count: string) => `this app ${count}`,
      others: (count: string) => `other apps ${count}`,
      uncertain: (count: string) => `may count ${count}`,
      spoken: (left: string, limit: string) => `${left} of ${limit} requests left`,
      spokenAtMost: (left: string, limit: string) => `at most ${left} of ${limit} requests left`,
    },
    count: {
      unlimited: 'Other apps in your organization are not counted.',
      own: (used: string, limit: string) =>
        `This app has used ${used}. Other apps in your organization use the same ${limit}.`,
      organization: (used: string, limit: string, own: string) =>
        `Your organization has used ${used} of ${limit}; ${own} of them through this app.`,
    },
    how: {
      heading: 'How we know',
      counted: 'The service does not report the month, so Plimsoll counts what it sends.',
      more: 'How limits are counted',
    },
    uncertain: {
      organization:
        'The higher number includes requests that may count, and what other apps may have used since the count was entered.',
      own: (low: string, high: string) =>
        `Between ${low} and ${high}: some requests, such as sign-ins, may not count.`,
    },
    resets: (when: string) => `Resets ${when} your time.`,
    resetsAt: (at: string) => `at ${at}`,
    resetsBetween: (earliest: string, latest: string) => `between ${earliest} and ${latest}`,
    zone: 'The service does not show in which time zone its month begins.',
    wanted: {
      exact: 'It makes the number exact, and is free.',
      again: 'Much may have been used since then. What does the page say now?',
      used_up: 'It shows whether the month is used up.',
      below_own: 'That is less than this app alone has used. What does the page say now?',
    },
  },
  press: {
    /** After the label of a button. */
    price: (price: string) => ` · ${price}`,
    uses: (price: string) => `uses ${price}`,
    risky: (requests: string) => `up to ${requests}, may be refused`,
    of: (count: string, left: string) => `${count} of ${left}`,
    ofAtMost: (count: string, left: string) => `${count} of at most ${left}`,
    busy: 'Reading…',
    /** In place of the price. */
    heldFor: (wait: string) => `in ${wait}`,
    possibleIn: (wait: string) => `Possible again in ${wait}.`,
    offline: 'Not sent: this browser was offline.',
    /** What a press may do, read out at its button. */
    caution: {
      last: 'One of the last requests of the month, kept for signing in.',
      risky: 'The service may refuse it.',
    },
    lastRefused: 'Your last request was refused.',
    /** Nobody could know it before the press. */
    refusedEarly: (requests: string) => `${requests} used: the service refused the access token early.`,
  },
  readings: {
    planPage: 'your plan page',
    /** Before the field. */
    usedSoFar: (page: string) => `Used so far, on ${page}`,
    count: 'Requests used so far, as your plan page says',
    save: 'Save',
    enteredAgo: (ago: string) => `Entered ${ago}.`,
    saved: (count: number) => `Saved: ${count} used so far.`,
    fault: (most: number) => `Type the number as your plan page shows it: a whole number from 0 to ${most}.`,
    more: 'Earlier counts',
    tooMany: (most: number) => `${most} counts were entered this month; no more are taken.`,
    lower: (count: number) =>
      `${count} is lower than an earlier count, so it was not saved: the count of a month only rises. ` +
      'If that count was wrong, undo it under “Earlier counts”.',
    wasReset: 'The month was reset',
    none: 'No count was entered this month.',
    list: 'Counts of this month',
    read: (date: string) => `seen ${date}`,
    by: { you: 'by you', another: 'by another person or browser' },
    undo: 'Undo',
    undoOf: (count: number) => `Undo the count of ${count}`,
    removed: (count: number) => `The count of ${count} is removed.`,
  },
  burnDown: {
    caption: 'Requests left, day by day',
    captionAtMost: 'At most this many left, day by day',
    evenPace: 'even pace',
    today: 'today',
    atMost: (left: string) => `at most ${left}`,
    point: (date: string, left: string) => `${date}: ${left} left`,
    end: {
      left: (count: string) => `${count} left at the reset`,
      runsOut: (day: string) => `runs out ${day}`,
      early: (end: string) => `perhaps ${end}`,
    },
    summary: (left: string, limit: string) => `${left} of ${limit} requests left.`,
    summaryAtMost: (left: string, limit: string) =>
      `At most ${left} of ${limit} requests left: other apps may have used some.`,
    even: (count: string) => `At an even pace, ${count} would be left.`,
    forecast: (end: string) => `Forecast: ${end}.`,
  },
  /** The title of the page, and notifications. */
  alert: {
    mark: {
      none: '■ none left',
      left: (count: string) => `▲ ${count} left`,
      atMost: (count: string) => `▲ at most ${count} left`,
    },
    none: 'No requests of the month are left',
    used: (percent: string) => `${percent}% of the month may be used`,
    reset: (when: string) => `It is reset ${when}.`,
    setting: {
      on: (levels: string) => `Notify me at ${levels}%: on.`,
      off: (levels: string) => `Notify me at ${levels}%: off.`,
      whileOpen: 'Notifications come only while a page is open.',
      tried: 'Notifications are on',
      unable: 'This browser cannot show notifications; the title and the icon still change.',
      turnOn: 'Turn on',
      turnOff: 'Turn off',
      blocked: 'The browser blocks notifications of this page; its settings can allow them.',
    },
  },
}
