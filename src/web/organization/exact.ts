import { parse } from 'lossless-json'

/** A number that JavaScript would write differently becomes the service's digits. */
const exactly = (digits: string): number | string =>
  String(Number(digits)) === digits ? Number(digits) : digits

type Reviver = (name: string, value: unknown, context?: { source?: string }) => unknown

const reviver: Reviver = (_, value, { source } = {}) =>
  typeof value === 'number' && source !== undefined ? exactly(source) : value

const parseNatively = (text: string): unknown => JSON.parse(text, reviver as (name: string) => unknown)

/** Browsers of before 2025 do not tell a reviver what stood in the text. */
const hasSource = parseNatively('1.0') === '1.0'

/** @throws SyntaxError, or RangeError for text that is nested too deeply */
export const parseExactly = (text: string, isNative = hasSource): unknown =>
  isNative
    ? parseNatively(text)
    : parse(text, undefined, { parseNumber: exactly, onDuplicateKey: ({ newValue }) => newValue })
