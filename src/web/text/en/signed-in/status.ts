/** Announced to a person who does not see the page. */
export const status = {
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
}
