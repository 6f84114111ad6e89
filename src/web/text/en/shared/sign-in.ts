import { plural } from '../plural.ts'

export const signIn = {
  title: 'Sign in',
  lead: 'See your organization, and how much of its request quota is left.',
  done: 'You are signed out',
  ended: {
    elsewhere: 'It was ended in the list of your sessions, in another browser.',
    /** @param most sessions that one person may have */
    tooMany: (most: number) => `It was the oldest of ${plural(most, 'session')} when another one was opened.`,
  },
  below: { sign_in: 'Sign in below', again: 'Try again below' },
  noCookies:
    'This browser stores no cookies for this address, and without them no sign-in can finish. Allow cookies first.',
  otherAddress: {
    words: (home: string) => `The service sends people back to ${home}, so a sign-in has to begin there.`,
    go: (home: string) => `Go to ${home}`,
  },
  /** A button that signs in directly. */
  direct: (name: string, id: string, requests: string) => `${name} (${id}) · ${requests}`,
  directWithoutName: (id: string, requests: string) => `Organization ${id} · ${requests}`,
  sandbox: {
    ribbon: 'Sandbox',
    words: 'A practice service on this computer: nothing there is real, and nothing costs.',
    control: 'Control plane of the sandbox',
  },
  last: {
    heading: 'Last used in this browser',
    remove: (name: string, id: string) => `Remove ${name} (${id})`,
    removeWithoutName: (id: string) => `Remove organization ${id}`,
    removeAll: 'Remove all',
    words: 'A sign-out removes them too.',
  },
  organization: {
    label: 'Organization id, or the address of your project list',
    hint: 'It is the number after organization_id= in the address of your project list.',
    read: (id: string) => `organization ${id}`,
    button: (requests: string) => `Sign in · ${requests}`,
    busy: 'Going to the service…',
    price: (requests: string, perMonth: number) =>
      `Signing in uses ${requests}, and reads your organization once. The Standard plan has ${plural(perMonth, 'request')} a month.`,
    faults: {
      empty: 'Type the organization id.',
      not_an_id: 'An organization id is a positive whole number, such as 1001.',
      not_in_address: 'There is no organization_id in this address.',
      several_ids: 'There are several different organization ids in this. Type one of them.',
    },
  },
  where: {
    summary: 'Where do I find the id?',
    words:
      'Open your project list in the service, and look at the address: the id is the number after organization_id=.',
    picture: 'The address bar of a browser. At the end of the address, organization_id=1001 is marked.',
    paste: 'You can also copy the whole address and paste it above.',
  },
  key: {
    summary: 'Use an API key instead',
    label: 'API key',
    hint: 'An administrator issues it under the API key setting of the organization.',
    button: 'Sign in with the key · 1 request',
    busy: 'Trying the key…',
    empty: 'Paste the API key.',
    invalid: 'API keys contain no spaces or special characters.',
  },
  guide: 'Set-up guide for administrators',
}
