/** JSON of unknown size and depth, as text: read without losing a digit, and set out without recursion. */
import { parse } from 'lossless-json'

/** A number is held as its digits. */
export class Digits {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** @returns the value; `undefined` for what is no JSON, or is nested too deeply to be drawn */
export function readJsonText(text: string): { value: unknown } | undefined {
  try {
    const options = {
      parseNumber: (digits: string) => new Digits(digits),
      onDuplicateKey: ({ newValue }: { newValue: unknown }) => newValue,
    }
    return { value: parse(text, undefined, options) }
  } catch {
    return undefined
  }
}

const LONGEST = 100_000
const DEEPEST_INDENT = 24
const TOKENS = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/gs

/** The text with a line for each member, as it came otherwise; cut where it becomes too long to show. */
export function indentJson(text: string): { shown: string; cut: number } {
  const shown = text.slice(0, LONGEST)
  let depth = 0
  let before = ''
  let lines = ''
  const line = (): string => `\n${'  '.repeat(Math.min(Math.max(0, depth), DEEPEST_INDENT))}`
  for (const [token] of shown.matchAll(TOKENS)) {
    if (token === '}' || token === ']') {
      depth--
      if (before !== '{' && before !== '[') lines += line()
    } else if (before === '{' || before === '[' || before === ',') lines += line()
    lines += token === ':' ? ': ' : token
    if (token === '{' || token === '[') depth++
    before = token
  }
  return { shown: lines, cut: text.length - shown.length }
}
