export const burnDown = {
  heading: 'Requests left this month',
  loading: 'Loading the chart…',
  /** @param even what an even use of the month would have left */
  ofOrganization: (left: string, limit: number, even: number) =>
    `${left} of ${limit} left, by the newest reading and what came after it; an even use of the month would have left ${even}.`,
  ofAppAlone: (left: string, limit: number, even: number) =>
    `At most ${left} of ${limit} left, since others spend from the same month; an even use of the month would have left ${even}.`,
  usedUp: 'Nothing is left until the reset.',
  tooEarly: 'It is too early for a forecast.',
  atMost: (left: string) => `at most ${left}`,
  sources: {
    own: 'by the requests of this app alone',
    reading: 'by a reading of the service’s own count',
    organization: 'by the newest reading and what came after it',
  },
  point: (date: string, left: string, source: string) => `${date}: ${left} left, ${source}`,
  points: 'Points of the chart',
  legend: {
    own: 'this app alone',
    pace: 'even use',
    organization: 'the organization',
    reading: 'a reading',
    forecast: 'the present pace',
    zone: 'when the month may be reset',
  },
  table: 'The same as a table',
  columns: { at: 'When', left: 'Left', even: 'With even use', source: 'Known by' },
}
