/** Notes: small JSON values in the store that all processes share. A damaged note counts as absent. */
import { members, oneOf, type Reader } from '../../contract/json.ts'
import type { NoteOptions } from '../../store/store.ts'
import type { Context } from './context.ts'

/** Give it a new format number when its layout changes. */
export interface NoteKind<T> {
  readonly format: number
  readonly read: Reader<T>
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
  options: NoteOptions = {},
): Promise<void> {
  await context.store.changeNote(
    name,
    (note) => {
      const value = change(parseNote(kind, note))
      return value === undefined ? undefined : { format: kind.format, value }
    },
    lapsesAtMs,
    options,
  )
}

/** `undefined` as for `readNote`. */
export function parseNote<T>({ format, read }: NoteKind<T>, note: unknown): T | undefined {
  if (note === undefined) return undefined
  try {
    return members({ format: oneOf([format]), value: read }, {})(note).value
  } catch {
    // The note is damaged or has another format.
    return undefined
  }
}
