/** Notes: small JSON values in the store that all processes share. A damaged note counts as absent. */
import { members, oneOf, type Reader } from '../../contract/json.ts'
import type { NoteOptions } from '../../store/store.ts'
import type { Context } from './context.ts'

/** Give it a new format number when its layout changes. */
export interface NoteKind<T> {
  readonly format: number
  readonly read: Reader<T>
  /** A loss of power may take the note, because the next answers of the service restore it. */
  readonly mayBeLost?: boolean
}

/** `undefined` if there is none, or it has another format or is damaged. */
export async function readNote<T>(context: Context, kind: NoteKind<T>, name: string): Promise<T | undefined> {
  return parseNote(kind, await context.store.readNote(name))
}

/**
 * Changes a note in one atomic step.
 * @param change is pure. It gets the value as from `readNote`; its result `undefined` removes the note
 * @param lapsesAtMs UNIX milliseconds
 * @param options a lease to give back in the same step
 */
export async function changeNote<T>(
  context: Context,
  kind: NoteKind<T>,
  name: string,
  change: (value: T | undefined) => T | undefined,
  lapsesAtMs: number,
  options: Pick<NoteOptions, 'release'> = {},
): Promise<void> {
  await context.store.changeNote(
    name,
    (note) => {
      const value = change(parseNote(kind, note))
      return value === undefined ? undefined : { format: kind.format, value }
    },
    lapsesAtMs,
    { mayBeLost: kind.mayBeLost === true, ...options },
  )
}

interface Parser {
  read: Reader<{ value: unknown }>
  /** Parsed values by the object that the store returned, which is the same until the note changes. */
  parsed: WeakMap<object, { value: unknown }>
}

const parsers = new WeakMap<object, Parser>()

function parserOf<T>(kind: NoteKind<T>): Parser {
  const known = parsers.get(kind)
  if (known !== undefined) return known
  const read = members({ format: oneOf([kind.format]), value: kind.read }, {})
  const parser: Parser = { read, parsed: new WeakMap() }
  parsers.set(kind, parser)
  return parser
}

/** `undefined` as for `readNote`. */
export function parseNote<T>(kind: NoteKind<T>, note: unknown): T | undefined {
  if (typeof note !== 'object' || note === null) return undefined
  const { read, parsed } = parserOf(kind)
  const known = parsed.get(note) ?? { value: valueOf(read, note) }
  parsed.set(note, known)
  return known.value as T | undefined
}

function valueOf(read: Parser['read'], note: unknown): unknown {
  try {
    return read(note).value
  } catch {
    // The note is damaged or has another format.
  }
  return undefined
}
