import { plural } from './plural.ts'

export const signIn = {
  title: 'Sign in',
  lead: 'See your organization, and how much of its request quota is left.',
  done: 'You are signed out',
  ended: {
    elsewhere: 'It was ended in the list of your sessions, in another browser.',
    /** @param most sessions that one person may have */
    too_many: (most: number) =>
      `It was the oldest of ${plural(most, 'session')} when another one was opened.`,
  },
  below: { sign_in: 'Sign in below', again: 'Try again below' },
  otherAddress: {
    words: (home: string) => `The service sends people back to ${home}, so a sign-in has to begin there.`,
    go: (home: string) => `Go to ${home}`,
  },
  organization: {
    label: 'Organization id, or the address of your project list',
    hint: 'It is the number after organization_id= in the address of your project list.',
    read: (id: string) => `organization ${id}`,
    button: 'Sign in · 1 request',
    busy: 'Going to the service…',
    empty: 'Type the organization id.',
    noId: 'An organization id is a positive whole number, such as 1001.',
    noIdInAddress: 'There is no organization_id in this address, or more than one.',
  },
  key: {
    summary: 'Use an API key instead',
    label: 'API key',
    button: 'Sign in with the key · 1 request',
    busy: 'Trying the key…',
    empty: 'Paste the API key.',
    invalid: 'API keys contain no spaces or special characters.',
  },
}
