export const shortcuts = {
  title: 'Keyboard shortcuts',
  lead: 'Shortcuts are off while you type and never use a request.',
  next: 'then',
  keys: {
    home: 'Quota and organization',
    ledger: 'Ledger',
    sessions: 'Your sessions',
    learnt: 'How limits are counted',
    refresh: 'Go to Refresh, without pressing it',
    sheet: 'Show this list',
    close: 'Close this list',
  },
  on: 'Use keyboard shortcuts',
  close: 'Close',
}
