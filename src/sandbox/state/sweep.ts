/** Deletes expired records without a look at all of them at every request. */
import type { SandboxState, SweptStore } from './state.ts'

/**
 * Sweeps once the store may have doubled, so about two records are looked at for each one that was added.
 * @param sweep deletes expired records and returns the number that is left
 */
export function sweepAfterAdding(
  { sweeps }: Pick<SandboxState, 'sweeps'>,
  store: SweptStore,
  sweep: () => number,
): void {
  const { added, left } = sweeps[store] ?? { added: 0, left: 0 }
  sweeps[store] = added + 1 < left ? { added: added + 1, left } : { added: 0, left: sweep() }
}

/** A new one may cause a sweep. */
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

export function deleteExpired<T>(records: Record<string, T>, isExpired: (value: T) => boolean): number {
  let left = 0
  for (const [key, value] of Object.entries(records)) {
    if (isExpired(value)) delete records[key]
    else left += 1
  }
  return left
}
