export const readings = {
  planPage: 'Your plan page',
  /** After the link to the plan page, and before the field. */
  usedSoFar: (page: string) => `${page} says used so far`,
  count: 'Requests used so far, as your plan page says',
  save: 'Save',
  enteredAgo: (ago: string) => `Entered ${ago}.`,
  saved: (count: number) => `Saved: ${count} used so far.`,
  errors: {
    count: (most: number) => `Type the number as your plan page shows it: a whole number from 0 to ${most}.`,
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
}
