export const header = {
  organization: (id: string) => `Organization ${id}`,
  methods: { oauth: 'OAuth', api_key: 'API key' },
  pages: 'Pages',
  ledger: 'Ledger',
  learnt: 'What we learnt',
  sessions: 'Your sessions',
  signOut: 'Sign out',
  live: 'live',
  connecting: 'connecting',
  offline: 'offline',
  notLive: 'not live: trying again',
  notLiveFor: (wait: string) => `not live: trying again in ${wait}`,
}
