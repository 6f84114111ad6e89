/** What has changed in the sandbox since it was last stored, as one line to append to its file. */
import type { Sandbox } from '../../sandbox/sandbox.ts'

/** Their records are replaced as a whole, so one that is the same object has not changed. */
const STORES = [
  'sign_ins',
  'pending',
  'grants',
  'codes',
  'access_tokens',
  'refresh_tokens',
  'minute_counts',
  'windows',
  'months',
] as const
const NAMES: readonly string[] = [...STORES, 'request_log']

type Records = Readonly<Record<string, unknown>>

/** One line. `set` and `gone` are by store, `members` has all others as a whole. */
interface Change {
  set: Record<string, Records>
  gone: Record<string, string[]>
  members: Records
}

export function createJournal(sandbox: Pick<Sandbox, 'state' | 'currentSeed'>) {
  const stored = new Map<string, Map<string, unknown>>()
  const members = new Map<string, string>()

  const changesOf = (name: string, records: Records, change: Change) => {
    const known = stored.get(name) ?? new Map<string, unknown>()
    const entries = Object.entries(records)
    const set = entries.filter(([key, record]) => known.get(key) !== record || isOpen(record))
    for (const [key, record] of set) known.set(key, record)
    if (set.length > 0) change.set[name] = Object.fromEntries(set)
    if (known.size > entries.length) {
      const gone = [...known.keys()].filter((key) => !Object.hasOwn(records, key))
      for (const key of gone) known.delete(key)
      change.gone[name] = gone
    }
    stored.set(name, known)
  }

  /** @returns `undefined` if nothing has changed */
  return function nextLine(): string | undefined {
    const change: Change = { set: {}, gone: {}, members: {} }
    const now = sandbox.state()
    for (const name of STORES) changesOf(name, now[name], change)
    changesOf(
      'request_log',
      Object.fromEntries(now.request_log.map((entry) => [entry.number, entry])),
      change,
    )
    const rest = { ...now, current_seed: sandbox.currentSeed() }
    const changed = Object.entries(rest).filter(([name, value]) => {
      if (NAMES.includes(name)) return false
      const text = JSON.stringify(value)
      const isNew = members.get(name) !== text
      members.set(name, text)
      return isNew
    })
    change.members = Object.fromEntries(changed)
    const isSame = [change.set, change.gone, change.members].every((part) => Object.keys(part).length === 0)
    return isSame ? undefined : `${JSON.stringify(change)}\n`
  }
}

/** An entry of the log is completed in place when its request is answered. */
const isOpen = (record: unknown): boolean =>
  typeof record === 'object' && record !== null && 'rule' in record && !('status' in record)

/** Applies the lines after the first to its state. The last one may have been cut off by a kill. */
export function applyLines(
  saved: { state: Record<string, unknown>; current_seed?: unknown },
  lines: readonly string[],
): void {
  const { state } = saved
  const log = (state['request_log'] ?? []) as { number: number }[]
  state['request_log'] = Object.fromEntries(log.map((entry) => [entry.number, entry]))
  for (const line of lines) {
    const change = parseLine(line)
    if (change === undefined) break
    for (const [name, records] of Object.entries(change.set)) Object.assign(state[name] as object, records)
    for (const [name, keys] of Object.entries(change.gone))
      for (const key of keys) delete (state[name] as Record<string, unknown>)[key]
    const { current_seed, ...members } = change.members
    Object.assign(state, members)
    if (current_seed !== undefined) saved.current_seed = current_seed
  }
  // Whole numbers are keys in ascending order, so the log is in order too.
  state['request_log'] = Object.values(state['request_log'] as Records)
}

function parseLine(line: string): Change | undefined {
  try {
    return JSON.parse(line) as Change
  } catch {
    return undefined
  }
}
