/** Compares two answers for the same record. */
import { membersOf, isContainer, isRecord, pointerTo } from './value.ts'
import { jsonOf } from './json-text.ts'
import { type Field, fieldsIn } from './fields.ts'

export interface Changes {
  /** JSON pointers to new and changed values, and to all that contain them. */
  paths: ReadonlySet<string>
  /** The fields whose paths are in `paths`. */
  changed: readonly Field[]
  removed: readonly Field[]
}

const known = new WeakMap<object, { after: object; changes: Changes }>()

/** Compares each pair of answers once. @param before the answer that the page showed until `after` came */
export function changesIn(before: { text: string }, after: { text: string }): Changes {
  const found = known.get(before)
  if (found?.after === after) return found.changes
  const changes = changesOf(fieldsIn(before) ?? [], fieldsIn(after) ?? [])
  known.set(before, { after, changes })
  return changes
}

export function changesOf(before: readonly Field[], after: readonly Field[]): Changes {
  const paths = new Set<string>()
  const former = new Map(before.map((field) => [field.path, field]))
  const changed = after.filter(({ path, value }) => {
    const old = former.get(path)
    if (old === undefined) paths.add(path)
    return old === undefined || collect(old.value, value, path, paths)
  })
  const present = new Set(after.map(({ path }) => path))
  const removed = before.filter(({ path }) => !present.has(path))
  return { paths, changed, removed }
}

/** Adds the paths of all differences to `paths`. @returns true if the values differ */
function collect(before: unknown, after: unknown, path: string, paths: Set<string>): boolean {
  const isSame = isAlike(before, after) ? !collectInside(before, after, path, paths) : isEqual(before, after)
  if (!isSame) paths.add(path)
  return !isSame
}

const isAlike = (before: unknown, after: unknown): before is object =>
  (Array.isArray(before) && Array.isArray(after)) || (isRecord(before) && isRecord(after))

const isEqual = (before: unknown, after: unknown): boolean =>
  isContainer(before) === isContainer(after) && jsonOf(before) === jsonOf(after)

function collectInside(before: object, after: unknown, path: string, paths: Set<string>): boolean {
  if (!isContainer(before) || !isContainer(after)) return true
  const former = new Map(membersOf(before))
  let isChanged = false
  for (const [key, value] of membersOf(after)) {
    const inner = pointerTo(path, key)
    if (!former.has(key)) paths.add(inner)
    if (!former.has(key) || collect(former.get(key), value, inner, paths)) isChanged = true
    former.delete(key)
  }
  return isChanged || former.size > 0
}
