/** Dates and instants in a text of the service, in the reader's own form. */
import { dateText } from '../text/language.ts'
import { dateWords } from './time.ts'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/
const DAY = /^\d{4}-\d\d-\d\d$/

/** An instant is in the reader's zone; a day is the same day everywhere. */
export function whenWords(text: string): { words: string } | undefined {
  if (text.length < 10 || text.length > 40) return undefined
  const atMs = Date.parse(text)
  if (Number.isNaN(atMs)) return undefined
  if (INSTANT.test(text)) return { words: dateWords(atMs) }
  return DAY.test(text) ? { words: dateText(atMs, { dateStyle: 'medium', timeZone: 'UTC' }) } : undefined
}
