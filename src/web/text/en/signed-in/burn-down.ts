export const burnDown = {
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
}
