/** Reads and changes this app's findings. All of it is free. */
import { queryOptions } from '@tanstack/react-query'
import { BFF } from '../../contract/api.ts'
import { type FindingName, parseEvidence } from '../../contract/evidence.ts'
import type { SignedIn } from '../../contract/session.ts'
import { requestJson } from '../lib/api.ts'

export const evidenceQuery = ({ id }: SignedIn) =>
  queryOptions({
    queryKey: ['evidence', id],
    queryFn: async () => parseEvidence(await requestJson(BFF.evidence)).findings,
    gcTime: 0,
  })

export async function confirmFinding(name: FindingName, value: string): Promise<void> {
  await requestJson(`${BFF.evidence}/${name}`, { method: 'POST', body: { value } })
}

export async function forgetFinding(name: FindingName): Promise<void> {
  await requestJson(`${BFF.evidence}/${name}`, { method: 'DELETE' })
}
