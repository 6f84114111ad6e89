/** Reads JSON text of unknown size and depth without losing a digit, and indents it without recursion. */
import { parse } from 'lossless-json'
import { DIRECTION_MARKS } from './direction-marks.ts'

/** The digits of a number that JavaScript would write differently. */
export class Digits {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Deeper nesting is not drawn, because the drawing recurses. */
const DEEPEST = 1000

/** @returns the value; `undefined` if the text is not JSON, or is nested too deeply */
export function readJsonText(text: string): { value: unknown } | undefined {
  try {
    const { isExact, isDeep } = look(text)
    if (isDeep) return undefined
    // This parser is ten times as fast, which matters for megabytes.
    if (isExact) return { value: JSON.parse(text) }
    const options = {
      parseNumber: (digits: string) =>
        String(Number(digits)) === digits ? Number(digits) : new Digits(digits),
      onDuplicateKey: ({ newValue }: { newValue: unknown }) => newValue,
    }
    return { value: parse(text, undefined, options) }
  } catch {
    return undefined
  }
}

const JSON_PARTS = /["[\]{}]|-?\d[-+.\deE]*/g

/** `isExact`: each number is written as JavaScript would write it. */
function look(text: string): { isExact: boolean; isDeep: boolean } {
  const parts = new RegExp(JSON_PARTS)
  let depth = 0
  let isExact = true
  for (let part = parts.exec(text)?.[0]; part !== undefined; part = parts.exec(text)?.[0]) {
    if (part === '"') parts.lastIndex = endOfString(text, parts.lastIndex - 1) + 1
    else if (part === '[' || part === '{') depth += 1
    else if (part === ']' || part === '}') depth -= 1
    else if (String(Number(part)) !== part) isExact = false
    if (depth > DEEPEST) return { isExact, isDeep: true }
  }
  return { isExact, isDeep: false }
}

/** The index of the quote that ends the string. */
function endOfString(text: string, start: number): number {
  let end = start
  let slashes = 1
  while (slashes % 2 === 1) {
    end = text.indexOf('"', end + 1)
    if (end === -1) return text.length
    slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes += 1
  }
  return end
}

/** Without spaces. */
export function jsonOf(value: unknown): string {
  if (value instanceof Digits) return value.text
  if (Array.isArray(value)) return `[${value.map((item) => jsonOf(item)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}:${jsonOf(inner)}`)
    .join(',')}}`
}

const LONGEST_SHOWN = 100_000
const DEEPEST_TEXT_INDENT = 24
const TOKENS = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/gs

/** Puts each member on its own line, and cuts a text too long to show. Nothing else changes. */
export function indentJson(text: string): { shown: string; cut: number } {
  const shown = text.slice(0, LONGEST_SHOWN)
  let depth = 0
  let before = ''
  let lines = ''
  const line = (): string => `\n${'  '.repeat(Math.min(Math.max(0, depth), DEEPEST_TEXT_INDENT))}`
  for (const [token] of shown.matchAll(TOKENS)) {
    if (token === '}' || token === ']') {
      depth--
      if (before !== '{' && before !== '[') lines += line()
    } else if (before === '{' || before === '[' || before === ',') lines += line()
    lines += token === ':' ? ': ' : token
    if (token === '{' || token === '[') depth++
    before = token
  }
  return { shown: lines.replaceAll(DIRECTION_MARKS, escaped), cut: text.length - shown.length }
}

const escaped = (mark: string): string => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`
