import { plural } from '../plural.ts'

export const signIn = {
  title: 'Sign in',
  lead: 'See your organization and the requests it has left.',
  done: 'You are signed out',
  ended: {
    elsewhere: 'You ended it in another browser.',
    /** @param most sessions that one person may have */
    tooMany: (most: number) =>
      `You can have ${plural(most, 'session')}: a new one replaced this one, the oldest.`,
  },
  below: { sign_in: 'Sign in below', again: 'Try again below' },
  noCookies: 'This browser blocks cookies of this address. Allow them before you sign in.',
  otherAddress: {
    words: (home: string) => `Sign in at ${home}: the service sends you back there.`,
    go: (home: string) => `Go to ${home}`,
  },
  /** A button that signs in directly. The price follows. */
  direct: (name: string, id: string) => `${name} (${id}) · `,
  directWithoutName: (id: string) => `Organization ${id} · `,
  sandbox: {
    ribbon: 'Sandbox',
    words: 'A practice service on this computer. Nothing in it is real or costs money.',
    control: 'Control plane of the sandbox',
  },
  last: {
    heading: 'Last used in this browser',
    remove: (name: string, id: string) => `Remove ${name} (${id})`,
    removeWithoutName: (id: string) => `Remove organization ${id}`,
    removeAll: 'Remove all',
    words: 'Signing out removes them too.',
  },
  organization: {
    label: 'Organization id, or the address of your project list',
    hint: 'The number after organization_id= in the address of your project list.',
    read: (id: string) => `organization ${id}`,
    button: (requests: string) => `Sign in · ${requests}`,
    busy: 'Going to the service…',
    price: (requests: string, perMonth: number) =>
      `Signing in uses ${requests}. The Standard plan has ${perMonth} a month.`,
    faults: {
      empty: 'Type the organization id.',
      not_an_id: 'An organization id is a positive whole number, such as 1001.',
      not_in_address: 'This address has no organization_id.',
      several_ids: 'This has several organization ids. Type one of them.',
    },
  },
  where: {
    summary: 'Where do I find the id?',
    words:
      'Open your project list in the service. The id is the number after organization_id= in its address.',
    picture: 'The address bar of a browser. At the end of the address, organization_id=1001 is marked.',
    paste: 'You can also copy the whole address and paste it above.',
  },
  key: {
    summary: 'Use an API key instead',
    label: 'API key',
    hint: 'An administrator creates it in the API key setting of your organization.',
    button: 'Sign in with the key · 1 request',
    busy: 'Checking the key…',
    empty: 'Paste the API key.',
    invalid: 'An API key has no spaces or special characters.',
  },
  guide: 'Set-up guide for administrators',
}
