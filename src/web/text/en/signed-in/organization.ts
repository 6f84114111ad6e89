export const organization = {
  numbered: (id: string) => `Organization ${id}`,
  ofKey: 'Organization of your key',
  refresh: 'Refresh',
  anyway: 'Try anyway',
  again: 'Try again',
  looking: 'Looking for a stored copy, free…',
  /** No copy is stored. */
  missing:
    'No copy of this organization is stored here. Reading it asks the service, and uses requests of your month.',
  read: 'Read it',
  signInAgain: 'Sign in again',
  /** When the record was read, and what that cost. */
  asOf: {
    signIn: (requests: string) => `Read at sign-in · ${requests}`,
    signInAgo: (ago: string, requests: string) => `Read at sign-in, ${ago} · ${requests}`,
    stored: (ago: string) => `Read ${ago} · stored copy, free`,
    spent: (ago: string, requests: string) => `Read ${ago} · ${requests} spent`,
  },
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
