export const organization = {
  heading: 'Organization',
  numbered: (id: string) => `Organization ${id}`,
  ofKey: 'Organization of your key',
  refresh: 'Refresh',
  anyway: 'Refresh anyway',
  again: 'Try again',
  looking: 'Looking for a stored copy, free…',
  /** No copy is stored. */
  missing:
    'No copy of this organization is stored here. Reading it asks the service, and uses requests of your month.',
  read: 'Read it',
  signInAgain: 'Sign in again',
  /** When the record was read. */
  age: {
    numbered: (id: string, ago: string) => `No. ${id} · read ${ago}`,
    plain: (ago: string) => `Read ${ago}`,
  },
  /** What that cost, after the age. */
  cost: {
    signIn: (requests: string) => `cost ${requests} at sign-in`,
    stored: 'stored copy, free',
    spent: (requests: string) => `cost ${requests}`,
  },
  plans: { standard: 'Standard', business: 'Business' },
  labels: { plan: 'Plan', members: 'Members', address: 'Address', created: 'Created' },
  administrator: (name: string) => `${name} (administrator)`,
  moreMembers: (count: number) => `${count} more`,
  comma: ', ',
  /** Beside a value that differs from the answer before. */
  changed: 'changed',
  allFields: 'All fields, as the service sent them',
  /** Another organization than that of the session. */
  other: {
    heading: (id: string) => `This is not organization ${id}`,
    ofKey: (id: string) =>
      `You are signed in with an API key. It belongs to one organization, and it is not known whether that is ${id}.`,
    own: (id: string) => `You are signed in for organization ${id}. A sign-in is for one organization.`,
    stays: 'You stay signed in to the other one.',
    goToKey: 'See the organization of the key',
    goToOwn: (id: string) => `Go to organization ${id}`,
  },
}
