/** Filters the request log, and compares it with what a test expects. */
import * as v from 'valibot'
import { text, whole } from '../state/parse.ts'
import { MOST_LOG_ENTRIES, type RequestLogEntry, VERDICT } from '../state/request-log.ts'

export const FILTER = v.strictObject({
  method: v.exactOptional(v.pipe(text, v.regex(/^[A-Z]+$/, 'It must be in capitals'))),
  path: v.exactOptional(v.pipe(text, v.startsWith('/', 'It must begin with /'))),
  status: v.exactOptional(whole()),
  /** `served`, the word of a refusal, or that of a fault. */
  rule: v.exactOptional(text),
  /** `any` stands for every verdict. */
  verdict: v.exactOptional(v.picklist(['any', ...VERDICT.options])),
  /** As the log shows it, for example `oauth 3f9a2c1b`. */
  credential: v.exactOptional(text),
  grant_id: v.exactOptional(text),
  organization_id: v.exactOptional(whole()),
  /** Entries with a larger number. */
  after: v.exactOptional(whole()),
})

const found = v.exactOptional(whole())
/** For example `[{ "path": "/oauth2/token", "exactly": 1 }, { "verdict": "any", "exactly": 0 }]`. */
export const EXPECTATIONS = v.array(
  v.strictObject({ ...FILTER.entries, exactly: found, at_least: found, at_most: found }),
)

type Entry = RequestLogEntry
type Filter = v.InferOutput<typeof FILTER>

export const filterLog = (entries: readonly Entry[], filter: Filter): Entry[] =>
  entries.filter((entry) => isMeant(entry, filter))

function isMeant(entry: Entry, { verdict, after, ...equal }: Filter): boolean {
  const verdicts: readonly string[] = entry.verdicts ?? (entry.verdict ? [entry.verdict] : [])
  return (
    (verdict === undefined || (verdict === 'any' ? verdicts.length > 0 : verdicts.includes(verdict))) &&
    (after === undefined || entry.number > after) &&
    Object.entries(equal).every(([name, value]) => entry[name as keyof typeof equal] === value)
  )
}

const droppedFrom = (entries: readonly Entry[]) => (entries.at(-MOST_LOG_ENTRIES)?.number ?? 1) - 1

/** @returns what differs from the expectations, in their order @throws Error if the entries do not show it */
export const differencesFrom = (
  entries: readonly Entry[],
  expectations: v.InferOutput<typeof EXPECTATIONS>,
): { expected: Filter; found: number; entries: number[] }[] =>
  expectations.flatMap((expected) => {
    const { exactly, at_least = exactly, at_most = exactly, ...filter } = expected
    if (at_least === undefined && at_most === undefined)
      throw new Error('An expectation needs exactly, at_least or at_most')
    const dropped = droppedFrom(entries)
    if ((filter.after ?? 0) < dropped)
      throw new Error(
        `The log has only the newest 2,000 requests: clear it before, or set after to ${dropped}`,
      )
    const found = filterLog(entries, filter)
    return found.length >= (at_least ?? 0) && found.length <= (at_most ?? Infinity)
      ? []
      : [{ expected, found: found.length, entries: found.map(({ number }) => number) }]
  })
