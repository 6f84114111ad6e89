/** Notes: small JSON values in the store, shared by all processes. Read whole or not at all. */
import { members, oneOf, type Reader } from '../../contract/json.ts'
import type { NoteOptions } from '../../store/store.ts'
import type { Context } from './context.ts'

/** One kind of note. A change of its layout gets another format number. */
export interface NoteKind<T> {
  readonly format: number
  readonly read: Reader<T>
  /** Answers of the service bring it again. */
  readonly mayBeLost?: boolean
}

/** The value of a note; `undefined` when there is none, or it has another format or is damaged. */
export async function readNote<T>(context: Context, kind: NoteKind<T>, name: string): Promise<T | undefined> {
  return parseNote(kind, await context.store.readNote(name))
}

/**
 * Replaces a note in one step that no other writer interrupts.
 * @param change is pure, gets `undefined` where `readNote` would return it, and may return it to remove the note
 * @param lapsesAtMs UNIX milliseconds
 * @param options a lease that is given back in the same step
 */
export async function changeNote<T>(
  context: Context,
  kind: NoteKind<T>,
  name: string,
  change: (known: T | undefined) => T | undefined,
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
  /** By the object that the store returned: it returns the same one as long as the note is the same. */
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

/** The value in a note as it is stored; `undefined` where `readNote` returns it. */
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
    // Damaged, or of another format.
  }
  return undefined
}
