/** Searches a record in steps, so that the browser answers input in between. */
import { Digits } from './json-text.ts'
import { type Container, membersOf, isContainer, type Key, digitsOf } from './value.ts'
import { type Field, labelOf } from './fields.ts'
import { whenWords } from '../text/format.ts'

export interface Found {
  query: string
  /** Names and values that contain the query. */
  count: number
  /** The members of each object or list that match or contain a match. */
  inside: ReadonlyMap<object, ReadonlySet<Key>>
}

interface Frame {
  of: object
  entries: readonly (readonly [Key, unknown])[]
  up?: Frame
  key?: Key
}

const STEP = 500

/** @param query in lower case, not empty */
export function* searchFields(fields: readonly Field[], query: string): Generator<void, Found> {
  const inside = new Map<object, Set<Key>>()
  const add = (of: object, key: Key): boolean => {
    const keys = inside.get(of) ?? new Set()
    inside.set(of, keys)
    return keys.size < keys.add(key).size
  }
  // Each item of a list repeats the names.
  const labels = new Map<Key, string>()
  const labelled = (key: Key): string => {
    const label = labels.get(key) ?? labelOf(key).toLowerCase()
    labels.set(key, label)
    return label
  }
  const frames: Frame[] = fields.map(({ of, key, value }) => ({ of, entries: [[key, value]] }))
  let count = 0
  let looked = 0
  for (let frame = frames.pop(); frame; frame = frames.pop()) {
    for (const [key, value] of frame.entries) {
      looked += 1
      if (looked % STEP === 0) yield
      if (hasName(key, labelled(key), query) || hasValue(value, query)) {
        count += 1
        let at: Frame | undefined = frame
        for (let name: Key | undefined = key; at && name !== undefined && add(at.of, name); at = at.up)
          name = at.key
      }
      if (isContainer(value)) frames.push({ of: value, entries: membersOf(value), up: frame, key })
    }
  }
  return { query, count, inside }
}

const hasName = (key: Key, label: string, query: string): boolean =>
  typeof key === 'string' && (label.includes(query) || has(key, query))

function hasValue(value: unknown, query: string): boolean {
  if (typeof value === 'string') return has(value, query) || has(whenWords(value)?.words ?? '', query)
  if (value instanceof Digits || typeof value === 'number') return has(digitsOf(value) ?? '', query)
  return false
}

const has = (text: string, query: string): boolean => text.toLowerCase().includes(query)

/** All of them if nothing is searched or the container's own name matches. */
export const shownEntries = (of: Container, found: Found | undefined): (readonly [Key, unknown])[] => {
  const keys = found?.inside.get(of)
  const entries = membersOf(of)
  return keys ? entries.filter(([key]) => keys.has(key)) : entries
}
