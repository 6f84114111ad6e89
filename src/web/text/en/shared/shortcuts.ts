export const shortcuts = {
  title: 'Keyboard shortcuts',
  lead: 'In a field they do nothing. None spends a request.',
  next: 'then',
  keys: {
    home: 'Quota and organization',
    ledger: 'Ledger',
    sessions: 'Your sessions',
    learnt: 'What we learnt',
    refresh: 'Go to Refresh, without pressing it',
    sheet: 'Show this list',
    close: 'Close this list',
  },
  on: 'Use keyboard shortcuts',
  close: 'Close',
}
