import { plural } from '../plural.ts'

export const sessions = {
  title: 'Your sessions',
  whose: {
    oauth: 'Your sessions in this browser, and on devices that you connected with a code.',
    api_key: 'The sessions that were opened with your API key, in any browser.',
  },
  most: (count: number) => `Up to ${count} sessions; a new one replaces the oldest.`,
  device: 'Open on another device',
  links: 'Share what is left: watch links',
  loading: 'Loading your sessions…',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  anotherBrowser: 'Another browser',
  thisBrowser: 'This browser',
  name: {
    open: 'Name this browser',
    label: 'Name of this browser',
    hint: 'Your organization sees it in the ledger. Leave it empty to show the type of browser.',
    save: 'Save',
    cancel: 'Cancel',
    saved: (name: string) => `This browser is now called “${name}”.`,
    removed: 'This browser has no name of its own now.',
    faults: {
      name_too_long: (most: number) => `Use at most ${most} characters.`,
      name_has_hidden_characters: () => 'Use one line, without invisible characters.',
    },
  },
  opened: (date: string) => `Opened ${date}`,
  lastSeen: (date: string) => `Last seen ${date}`,
  signOutHere: 'Sign out here',
  end: 'End',
  ended: (browser: string) => `The session in ${browser} has ended.`,
  noOther: 'You have no other session.',
  endOthers: 'End all others',
  othersEnded: (count: number) => `${plural(count, 'other session')} ended.`,
}
