/** Announced to a person who does not see the gauges. */
export const status = {
  blocked: 'Requests are held back: a limit is reached.',
  possible: 'Requests are possible again.',
  low: {
    read: 'Read requests are running low this minute.',
    update: 'Update requests are running low this minute.',
  },
  none: {
    read: 'No read requests are left this minute.',
    update: 'No update requests are left this minute.',
  },
  reset: { read: 'The read window has reset.', update: 'The update window has reset.' },
  limits: 'The limits of the minute have changed.',
  month: {
    low: 'Requests are running low this month.',
    none: 'No requests are left this month.',
    suspected: 'The requests of this month are probably used up.',
    available: 'Requests of this month are available again.',
  },
}
