/** Reads and changes this app's findings. All of it is free. */
import { BFF } from '../../contract/api.ts'
import type { Evidence, FindingName } from '../../contract/evidence.ts'
import type { SignedIn } from '../../contract/session.ts'
import { requestJson } from '../lib/api.ts'
import { listQuery } from '../lib/query.ts'

export const evidenceQuery = (session: SignedIn) =>
  listQuery('evidence', session, BFF.evidence, ({ findings }: Evidence) => findings)

/** @param press.value is confirmed; without one, the finding is forgotten */
export async function changeFinding({ name, value }: { name: FindingName; value?: string }): Promise<void> {
  const options =
    value === undefined ? ({ method: 'DELETE' } as const) : ({ method: 'POST', body: { value } } as const)
  await requestJson(`${BFF.evidence}/${name}`, options)
}
