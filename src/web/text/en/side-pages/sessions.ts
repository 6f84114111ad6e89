import { plural } from '../plural.ts'

export const sessions = {
  title: 'Your sessions',
  whose: {
    oauth: 'The sessions that you opened in this browser.',
    api_key: 'The sessions that were opened with your API key, in any browser.',
  },
  most: (count: number) => `Up to ${count} sessions; a new one replaces the oldest.`,
  loading: 'Loading your sessions…',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  anotherBrowser: 'Another browser',
  thisBrowser: 'This browser',
  opened: (date: string) => `Opened ${date}`,
  lastSeen: (date: string) => `Last seen ${date}`,
  signOutHere: 'Sign out here',
  end: 'End',
  ended: (browser: string) => `The session in ${browser} has ended.`,
  noOther: 'You have no other session.',
  endOthers: 'End all others',
  othersEnded: (count: number) => `${plural(count, 'other session')} ended.`,
}
