/** The bodies of people and programs: a schema each. Its message is the fault or the problem's code. */
import * as v from 'valibot'
import { isCode, isState } from '../../contract/authorize.ts'
import { nameFault, trimmedName } from '../../contract/chosen-name.ts'
import { isApiKey } from '../../contract/credential.ts'
import type { Fault } from '../../contract/fault.ts'
import { isJsonObject, isTime } from '../../contract/json.ts'
import { isKeptAddress } from '../../contract/session.ts'
import { parseOrganizationId } from '../../contract/organization.ts'
import { typedCode, typedPairNumber } from '../../contract/pairing.ts'
import { isProblemCode, Problem, type ProblemCode } from '../../contract/problem.ts'
import { MOST_COUNT } from '../../contract/readings.ts'
import { LINK_DAYS } from '../../contract/watch-links.ts'
import { readJson } from './input.ts'

const text = v.string('value_not_a_string' satisfies Fault)
const wholeNumber = (least: number, most: number, fault: Fault) =>
  v.pipe(v.number(fault), v.integer(fault), v.minValue(least, fault), v.maxValue(most, fault))
const matching = (is: (value: unknown) => value is string, fault: Fault | ProblemCode) =>
  v.custom<string>(is, fault)
const typed = (read: (typed: string) => string | undefined) =>
  v.pipe(text, v.transform(read), v.string('code_malformed' satisfies Fault))
const chosenName = v.pipe(
  text,
  v.transform(trimmedName),
  v.check(
    (name) => nameFault(name) === undefined,
    ({ input }) => nameFault(input) ?? '',
  ),
)
const NO_VERIFIER: Fault = 'code_verifier_malformed'
// RFC 7636 4.1.
const verifier = v.exactOptional(
  v.pipe(v.string(NO_VERIFIER), v.regex(/^[A-Za-z0-9\-._~]{43,128}$/, NO_VERIFIER)),
)

export const LOGIN = v.object({
  state: matching(isState, 'state_malformed'),
  organization_id: v.pipe(v.unknown(), v.transform(parseOrganizationId)),
  return_to: v.exactOptional(matching(isKeptAddress, 'return_to_malformed')),
  code_verifier: verifier,
})
export const STARTED = v.object({ state: matching(isState, 'state_mismatch') })
export const CODE = v.object({
  state: matching(isState, 'state_mismatch'),
  code: matching(isCode, 'code_malformed'),
  code_verifier: verifier,
})
export const API_KEY = v.object({
  api_key: matching((key): key is string => typeof key === 'string' && isApiKey(key), 'key_rejected'),
})
export const READING = v.object({
  count: wholeNumber(0, MOST_COUNT, 'count_not_in_range'),
  /** Absent: now. It is not checked that it is in this month. */
  read_at: v.exactOptional(matching(isTime, 'read_at_malformed')),
  month_was_reset: v.exactOptional(v.literal(true, 'month_was_reset_not_true' satisfies Fault)),
})
export const CONFIRMATION = v.object({ value: text })
export const SECRET = v.object({ secret: text })
export const CLAIM = v.object({ code: typed(typedCode) })
export const NUMBER = v.object({ code: typed(typedCode), number: typed(typedPairNumber) })
export const BROWSER_NAME = v.object({ name: chosenName })
export const LINK = v.object({
  name: v.pipe(chosenName, v.nonEmpty('name_missing' satisfies Fault)),
  days: v.optional(wholeNumber(LINK_DAYS.least, LINK_DAYS.most, 'days_not_in_range'), LINK_DAYS.usual),
})
export const NOTHING = v.object({})

type Body = v.ObjectSchema<v.ObjectEntries, undefined>

/**
 * An unknown member is refused, so that a misspelt one is reported. `__proto__` as an own member is one.
 * @throws Problem `invalid_request` with its fault, or the code that the schema names
 */
export function parseBody<Schema extends Body>(schema: Schema, body: unknown): v.InferOutput<Schema> {
  if (!isJsonObject(body)) throw new Problem('invalid_request', { fault: 'body_not_an_object' })
  const known = Object.keys(schema.entries)
  if (Object.keys(body).some((name) => !known.includes(name)))
    throw new Problem('invalid_request', { fault: 'unknown_member', known })
  // A missing member is judged by its own schema, so that the fault is that of the member.
  const required = known.filter((name) => !/optional/.test(schema.entries[name]?.type ?? ''))
  const whole = { ...Object.fromEntries(required.map((name) => [name, undefined])), ...body }
  const { success, output, issues } = v.safeParse(schema, whole, { abortEarly: true })
  if (success) return output
  const [{ message }] = issues
  throw isProblemCode(message)
    ? new Problem(message)
    : new Problem('invalid_request', { fault: message as Fault })
}

/** @throws as {@link parseBody}, and Problem `unsupported_media_type`, `too_large` */
export const readBody = async <Schema extends Body>(
  request: Request,
  schema: Schema,
): Promise<v.InferOutput<Schema>> => parseBody(schema, await readJson(request))
