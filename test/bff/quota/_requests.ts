/** Requests in the ledger, for tests that count them. */
import * as fc from 'fast-check'
import type { Outcome, RequestKind } from '../../../src/contract/month.ts'
import { type App, startApp, STANDARD } from '../../kit/app.ts'

export interface Sent {
  kind: RequestKind
  atMs: number
  outcome: Outcome
  status?: number
  owner?: string
}

export async function addSent(
  { store }: Pick<App, 'store'>,
  requests: readonly Sent[],
  organization = STANDARD,
): Promise<void> {
  for (const [nth, { outcome, status, ...sent }] of requests.entries()) {
    const id = `${organization}-${nth}`
    const entry = {
      press: id,
      organization,
      method: 'GET',
      path: '/rate_limit',
      initiator: 'person',
      id,
    } as const
    await store.addEntry({ ...entry, ...sent })
    if (outcome !== 'reserved')
      await store.settle(id, { outcome, ...(status !== undefined && { status }) }, sent.atMs)
  }
}

const kinds: RequestKind[] = ['api.read', 'api.update', 'rate_limit', 'token.code', 'token.refresh']

/** Members of any request around the start of November 2026. */
export const SENT = {
  kind: fc.constantFrom(...kinds),
  atMs: fc.integer({ min: Date.UTC(2026, 9, 30), max: Date.UTC(2026, 10, 4) }),
  outcome: fc.constantFrom<Outcome[]>('reserved', 'settled', 'void', 'uncertain'),
  status: fc.constantFrom(200, 201, 404, 429, 500),
}

/** Each request to the service takes 10 ms, so that no two entries have one time. */
export function ticking(): App {
  const fixture = startApp()
  fixture.intercept((request, through) => {
    fixture.advance(10)
    return through(request)
  })
  return fixture
}
