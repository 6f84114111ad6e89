export const readings = {
  heading: 'The real count of the month',
  close: 'Close',
  planPage: 'Open the plan page of the service',
  lookFor: 'Look there for the monthly access count, and enter it here. Plimsoll sends nothing for this.',
  count: 'Monthly access count',
  earlier: 'Read at an earlier time?',
  readAt: 'When it was read, in your own time',
  save: 'Save · free',
  saved: (count: number) => `Saved: ${count} this month.`,
  errors: {
    count: (most: number) => `Type the number as the plan page shows it: a whole number from 0 to ${most}.`,
    readAt: 'Type a time of this month that has passed.',
  },
  question: 'Was the month reset, or was an earlier number wrong?',
  lower: (count: number, earlier: number) =>
    `${count} is lower than ${earlier}, which was read before, and the count of a month only rises.`,
  lowerThanUnknown: (count: number) =>
    `${count} is lower than a number that was read before, and the count of a month only rises.`,
  wasReset: 'The month was reset',
  correct: 'Correct the earlier one',
  none: 'No reading of this month yet.',
  list: 'Readings of this month',
  read: (date: string) => `read ${date}`,
  by: { you: 'by you', another: 'by another person or browser' },
  undo: 'Undo',
  undoOf: (count: number) => `Undo the reading of ${count}`,
  removed: (count: number) => `The reading of ${count} is removed.`,
}
