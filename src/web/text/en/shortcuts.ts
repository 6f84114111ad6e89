export const shortcuts = {
  title: 'Keyboard shortcuts',
  lead: 'They do nothing while you type in a field, and none of them spends a request.',
  next: 'then',
  keys: {
    home: 'Quota and organization',
    ledger: 'Ledger',
    sessions: 'Your sessions',
    learnt: 'What we learnt',
    refresh: 'Go to the Refresh button, without pressing it',
    sheet: 'Show this list',
    close: 'Close this list',
  },
  on: 'Use keyboard shortcuts',
  close: 'Close',
}
