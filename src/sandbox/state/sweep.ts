/** Deletes expired records without looking at all of them at every request. */
import type { SandboxState, SweptStore } from './state.ts'

/**
 * Counts one added record, and sweeps the store once it may have doubled: each record that is looked at was paid for by one
 * that was added, so the cost per addition does not depend on the number of records.
 * @param sweep deletes expired records and returns how many are left
 */
export function sweepAfterAdding(
  { sweeps }: Pick<SandboxState, 'sweeps'>,
  store: SweptStore,
  sweep: () => number,
): void {
  const { added, left } = sweeps[store]
  sweeps[store] = added + 1 < left ? { added: added + 1, left } : { added: 0, left: sweep() }
}

/** Sets a record; where it is a new one, expired ones may be deleted. */
export function addRecord<Name extends Exclude<SweptStore, 'issued'>>(
  state: SandboxState,
  name: Name,
  [key, value]: readonly [string, SandboxState[Name][string]],
  isExpired: (value: SandboxState[Name][string]) => boolean,
): void {
  const records = state[name] as Record<string, SandboxState[Name][string]>
  const isNew = !Object.hasOwn(records, key)
  records[key] = value
  if (isNew) sweepAfterAdding(state, name, () => deleteExpired(records, isExpired))
}

/** Deletes the records that have expired. @returns how many are left */
export function deleteExpired<T>(records: Record<string, T>, isExpired: (value: T) => boolean): number {
  let left = 0
  for (const [key, value] of Object.entries(records)) {
    if (isExpired(value)) delete records[key]
    else left += 1
  }
  return left
}
