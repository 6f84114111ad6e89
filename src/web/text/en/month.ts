import { plural } from './first.ts'

/** Of them, those of the month, its readings and its chart, and of a press. */
export const month = {
  month: {
    heading: 'This month',
    loading: 'Loading…',
    notKnown: 'Not known.',
    /** A range for screen readers. */
    spokenSpan: (low: string, high: string) => `${low} to ${high}`,
    noPlan: 'Plan not known yet',
    reset: (day: string, wait: string) => `resets ${day}, in ${wait}`,
    planAndReset: (plan: string, reset: string) => `${plan} · ${reset}`,
    /** The large figure, and what follows it. */
    number: {
      probably: (count: string) => `Probably ${count}`,
      atMost: (count: string) => `At most ${count}`,
      left: (count: string) => count,
      of: (limit: string) => `of ${limit} requests left`,
      asOf: (ago: string) => `as of ${ago}`,
      unread: 'not known yet',
      known: (left: string, how: string) => `${left} · ${how}`,
      sent: 'requests sent by this app',
      sentUnlimited: 'requests sent by this app, no monthly limit',
    },
    /** The sentence below it. `reset` is a day. */
    verdict: {
      onTrack: (perDay: string, reset: string) =>
        `On track: you can use ${perDay} a day until it resets on ${reset}`,
      early: (perDay: string, reset: string) => `You can use ${perDay} a day until it resets on ${reset}`,
      tight: (perDay: string, reset: string) =>
        `Tight: use at most ${perDay} a day until it resets on ${reset}`,
      low: (perDay: string, reset: string) => `Low: you can use ${perDay} a day until it resets on ${reset}`,
      lowLeast: (reset: string) => `Low: less than one a day until it resets on ${reset}`,
      runsOut: (day: string, before: string, reset: string) =>
        `Low: runs out ${day}, ${before} before it resets on ${reset}`,
      mayRunOut: (day: string, reset: string) =>
        `Low: at this pace it may run out ${day}, before it resets on ${reset}`,
      usedUp: (reset: string) => `Used up: the service refuses requests until it resets on ${reset}`,
      usedUpByThisApp: (reset: string) => `Used up by this app alone, until it resets on ${reset}`,
      /** @param at an instant */
      suspected: (at: string) => `Probably used up: refused at ${at}.`,
      resets: (reset: string) => `It resets on ${reset}.`,
      paused: (wait: string) => `Paused: ${wait}.`,
      unread: (limit: string) => `Other apps share these ${limit}.`,
      unreadLow: (limit: string) => `Low: other apps share these ${limit}.`,
      stale: (ago: string) => `Not certain: the count is from ${ago}.`,
      enter: 'Enter what your plan page says.',
      mayHaveReset: 'A new month may have begun: it begins within a day, in a time zone that is not known.',
      unlimited: 'No monthly limit on Business: only the speed limit counts',
      unseen: 'The limit is not known yet. Your next request shows it.',
    },
    days: { today: 'today', tomorrow: (day: string) => `tomorrow, ${day}`, on: (day: string) => `on ${day}` },
    bar: {
      label: 'Requests left this month',
      left: (count: string) => `left ${count}`,
      leftUnknown: 'left, unless other apps used it',
      own: (count: string) => `this app ${count}`,
      others: (count: string) => `other apps ${count}`,
      uncertain: (count: string) => `may count ${count}`,
      kept: (count: string) => `${count} of them kept for signing in`,
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
      plan: (name: string) => `${name} plan (inferred from its limits).`,
      more: 'How limits are counted',
    },
    uncertain: {
      organization:
        'The higher number includes requests that may count, and what other apps may have used since the count was entered.',
      own: (low: string, high: string) => `${low} or ${high}: signing in may count as a request.`,
      span: (low: string, high: string) => `Between ${low} and ${high}: some requests may not count.`,
    },
    reserve: (person: string, signIn: string) =>
      `The last ${person} are kept for your own presses, the last ${signIn} for signing in.`,
    forecast: {
      tooEarly: 'It is too early for a forecast.',
      stale: 'The count is too old for a forecast.',
      pace: (end: string) => `At this pace ${end}.`,
      ownPace: (end: string) => `At the pace of this app alone ${end}.`,
      early: (end: string) => `${end} (an early estimate)`,
      onPace: 'it lasts until the reset',
      under: (count: number) => `${plural(count, 'request')} will be left at the reset`,
      over: (count: number) => `${count} of the requests kept for signing in will be used by the reset`,
      runsOut: (day: string) => `it lasts until ${day}`,
    },
    binding: {
      onlyMinute: 'The speed limit is the only limit.',
      minute: 'At present the speed limit comes first.',
      month: 'The monthly limit comes first.',
    },
    resets: (when: string) => `Resets ${when} your time.`,
    resetsAt: (at: string) => `at ${at}`,
    resetsBetween: (earliest: string, latest: string) => `between ${earliest} and ${latest}`,
    zone: 'The service does not show in which time zone its month begins.',
    wanted: {
      none: 'It makes the number exact, and is free.',
      old: 'Entered more than 5 days ago: what does the page say now?',
      half: 'More than half may be used since then: what does the page say now?',
      four_fifths: 'More than four fifths may be used since then: what does the page say now?',
      reserve: 'Nearly all may be used since then: what does the page say now?',
      suspected: 'It shows whether the month is used up.',
      below_own: 'The count is lower than what this app alone has used.',
    },
  },
  press: {
    /** After the label of a button. */
    price: (price: string) => ` · ${price}`,
    /** Before it, while little is left. */
    priceFirst: (price: string, label: string) => `Uses ${price} · ${label}`,
    uses: (price: string) => `uses ${price}`,
    upTo: (requests: string) => `up to ${requests}`,
    of: (count: string, left: string) => `${count} of ${left}`,
    ofAtMost: (count: string, left: string) => `${count} of at most ${left}`,
    busy: 'Reading…',
    /** In place of the price. */
    heldFor: (wait: string) => `in ${wait}`,
    possibleIn: (wait: string) => `Possible again in ${wait}.`,
    offline: 'Not sent: this browser is offline.',
    reserved: 'One of the last requests of the month, kept for signing in.',
    doubtful: 'The month may be used up: it may be refused.',
    refused: 'The month seems to be used up: probably refused.',
    lastRefused: 'Your last request was refused.',
    /** Nobody could know it before the press. */
    refusedEarly: (requests: string) => `${requests} used: the service refused the access token early.`,
  },
  readings: {
    planPage: 'Your plan page',
    /** After the link to the plan page, and before the field. */
    usedSoFar: (page: string) => `${page} says used so far`,
    count: 'Requests used so far, as your plan page says',
    save: 'Save',
    enteredAgo: (ago: string) => `Entered ${ago}.`,
    saved: (count: number) => `Saved: ${count} used so far.`,
    errors: {
      count: (most: number) =>
        `Type the number as your plan page shows it: a whole number from 0 to ${most}.`,
      readAt: 'Type a time of this month that has passed.',
    },
    more: 'Earlier counts',
    readAt: 'When you saw it, in your own time',
    tooMany: (most: number) => `${most} counts were entered this month; no more are taken.`,
    question: 'Was the month reset, or was an earlier number wrong?',
    lower: (count: number, earlier: number) =>
      `${count} is lower than ${earlier}, which was entered before. The count of a month only rises.`,
    lowerThanUnknown: (count: number) =>
      `${count} is lower than a number that was entered before. The count of a month only rises.`,
    wasReset: 'The month was reset',
    correct: 'Correct the earlier one',
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
    open: 'Requests left, day by day: see what used them',
  },
  /** The title of the page, and notifications. */
  alert: {
    mark: {
      suspected: '■ probably used up',
      none: '■ none left',
      left: (count: string) => `▲ ${count} left`,
      atMost: (count: string) => `▲ at most ${count} left`,
    },
    available: 'Requests are possible again',
    suspected: 'The month is probably used up',
    none: 'No requests of the month are left',
    used: (percent: string) => `${percent} % of the month may be used`,
    refused: 'The service refused a request.',
    reset: (when: string) => `It is reset ${when}.`,
    setting: {
      on: (levels: string) => `Notify me at ${levels} %: on.`,
      off: (levels: string) => `Notify me at ${levels} %: off.`,
      whileOpen: 'Notifications come only while a page is open.',
      tried: 'Notifications are on',
      unable: 'This browser cannot notify; title and icon will show it.',
      turnOn: 'Turn on',
      turnOff: 'Turn off',
      blocked: 'The browser blocks notifications of this page; its settings can allow them.',
    },
  },
  /** Announced to a person who does not see the page. */
  status: {
    blocked: 'Paused: a limit is reached.',
    possible: 'You can send requests again.',
    low: {
      read: 'Read requests are running low this minute.',
      update: 'Update requests are running low this minute.',
    },
    none: {
      read: 'No read requests are left this minute.',
      update: 'No update requests are left this minute.',
    },
    reset: { read: 'Read requests are available again.', update: 'Update requests are available again.' },
    limits: 'The limits per minute have changed.',
    month: {
      low: 'Requests are running low this month.',
      none: 'No requests are left this month.',
      suspected: 'This month is probably used up.',
      available: 'Requests are available again this month.',
    },
  },
}
