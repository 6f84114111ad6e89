import { DIRECTION_MARKS } from './direction-marks.ts'
import { Digits } from './json-text.ts'
import { isJsonObject, own } from './organization.ts'

export type JsonRecord = Readonly<Record<string, unknown>>
export type Container = JsonRecord | readonly unknown[]
/** A member's name, or an item's index. */
export type Key = string | number

export const isRecord = (value: unknown): value is JsonRecord =>
  isJsonObject(value) && !(value instanceof Digits)

export const isContainer = (value: unknown): value is Container => Array.isArray(value) || isRecord(value)

export const membersOf = (value: Container): (readonly [Key, unknown])[] =>
  Array.isArray(value) ? [...value.entries()] : Object.entries(value)

export const sizeOf = (value: Container): number =>
  Array.isArray(value) ? value.length : Object.keys(value).length

/** A JSON pointer (RFC 6901) to a member of the value at `parent`. */
export const pointerTo = (parent: string, key: Key): string =>
  `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** A number as the service wrote it; `undefined` for other values. */
export const digitsOf = (value: unknown): string | undefined =>
  value instanceof Digits ? value.text : typeof value === 'number' ? String(value) : undefined

const LONGEST_CHIP = 32
const isShort = (value: unknown): boolean =>
  (typeof value === 'string' && value.length <= LONGEST_CHIP && !value.includes('\n')) ||
  (digitsOf(value)?.length ?? Infinity) <= LONGEST_CHIP

/** Short words and numbers, which the page shows side by side. */
export const isChips = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length > 0 && value.every(isShort)

/** It has rows of its own, which a person can show and hide. */
export const isBranch = (value: unknown): value is Container =>
  isContainer(value) && sizeOf(value) > 0 && !isChips(value)

const MOST_CELLS = 6
const LONGEST_CELL = 60

const isCell = (value: unknown): boolean =>
  !isContainer(value) && !(typeof value === 'string' && value.length > LONGEST_CELL)

/** A record with a few short values, which fit on one line. */
export const isFlat = (value: unknown): value is JsonRecord =>
  isRecord(value) && sizeOf(value) <= MOST_CELLS && Object.values(value).every(isCell)

const NAMING = ['name', 'title', 'role'] as const

/** The member by which an item names itself. */
export const namingKey = (item: JsonRecord): string | undefined =>
  NAMING.find((name) => own(item, name) !== undefined)

/** The name that an item gives itself. */
export const itemTitle = (item: unknown): string | undefined => {
  const key = isRecord(item) ? namingKey(item) : undefined
  const title = isRecord(item) && key !== undefined ? own(item, key) : undefined
  return typeof title === 'string' && title.trim() !== '' ? cut(title, LONGEST_CELL) : undefined
}

/** Without half a character at its end. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const start = text.slice(0, most)
  return `${/[\uD800-\uDBFF]$/.test(start) ? start.slice(0, -1) : start}…`
}

const LONGEST_LABEL = 80

/** `billing_contact`, `billingContact` and `billing-contact`: "Billing contact"; "" without a character. */
export function humanise(name: string): string {
  const visible = name.replaceAll(DIRECTION_MARKS, '')
  const words = cut(visible, LONGEST_LABEL)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_\-.\s]+/g, ' ')
    .trim()
  if (words === '') return visible.trim().slice(0, LONGEST_LABEL)
  const plain = words
    .split(' ')
    .map((word) => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}
