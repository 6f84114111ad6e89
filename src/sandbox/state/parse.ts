/** Parses values from outside by a schema. The error names each field that is wrong. */
import * as v from 'valibot'
import { DAY_MS } from '../../contract/duration.ts'

export const text = v.pipe(v.string(), v.nonEmpty())
export const whole = (least = 0, most = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))
/** The end of the year 9999. An HTTP date cannot express a later time. */
const LAST_INSTANT_MS = 253_402_300_799_999
/** Nobody sets a clock later: it runs on, and its month ends later still. */
export const LAST_TO_SET_MS = LAST_INSTANT_MS - 365 * DAY_MS
export const time = v.pipe(v.number(), v.minValue(-LAST_INSTANT_MS), v.maxValue(LAST_INSTANT_MS))
export const flag = v.exactOptional(v.literal(true))

/** @throws Error such as "applications[0].redirect_uri: Invalid type: Expected string but received 5" */
export function parse<const Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  what: string,
): v.InferOutput<Schema> {
  // A list would pass for an object without members.
  if (Array.isArray(value) && schema.type !== 'array') throw new Error(`${what}: It must not be a list`)
  const { success, issues, output } = v.safeParse(schema, value)
  if (success) return output
  const lines = issues.map((issue) => `${pathOf(issue) || what}: ${wordsOf(issue)}`)
  throw new Error(lines.slice(0, 20).join('\n'))
}

function wordsOf({ expected, message }: v.BaseIssue<unknown>): string {
  if (!message.startsWith('Invalid key')) return message
  return expected === 'never' ? 'There is no such member' : 'It is missing'
}

const pathOf = ({ path }: v.BaseIssue<unknown>): string =>
  (path ?? [])
    .map(({ type, key }) => (type === 'array' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')
