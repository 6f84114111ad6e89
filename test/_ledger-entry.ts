import type { LedgerEntry } from '../src/contract/ledger.ts'

export const ledgerEntry = (changes: Partial<LedgerEntry> = {}): LedgerEntry => ({
  at: '2026-11-21T06:00:00Z',
  kind: 'api.read',
  initiator: 'person',
  by: 'you',
  outcome: 'settled',
  status: 200,
  counts: 'yes',
  ...changes,
})
