import { plural } from '../plural.ts'

export const sessions = {
  title: 'Your sessions',
  whose: {
    oauth:
      'The service does not say who a person is, so these are the sessions that were opened in this browser.',
    api_key: 'These are the sessions that were opened with your API key, in any browser.',
  },
  most: (count: number) =>
    `At most ${count} are open: when another one is opened, the oldest ends. This page asks the service nothing.`,
  loading: 'Loading your sessions…',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  anotherBrowser: 'Another browser',
  thisBrowser: 'This browser',
  opened: (date: string) => `Opened ${date}`,
  lastSeen: (date: string) => `Last seen ${date}`,
  signOutHere: 'Sign out here',
  end: 'End',
  ended: (browser: string) => `${browser}: the session has ended.`,
  noOther: 'No other session is open.',
  endOthers: 'End all others',
  othersEnded: (count: number) => `${plural(count, 'other session')} ended.`,
}
