/** A pairing: a code that one session offers and one other browser claims, for two minutes and once. */
import { randomInt } from 'node:crypto'
import { timeLeftMs } from '../../contract/clock.ts'
import { SECOND_MS } from '../../contract/duration.ts'
import { CODE_CHARACTERS, CODE_LENGTH, PAIRING_LIFETIME_SECONDS } from '../../contract/pairing.ts'
import { Problem } from '../../contract/problem.ts'
import type { Context, Within } from '../core/context.ts'
import { fingerprint } from '../core/encryption.ts'
import { changeNote, type NoteKind, readNote } from '../core/note.ts'

export interface Pairing {
  /** The id of the session that offers the code. */
  session: string
  /** UNIX milliseconds. */
  endsAtMs: number
  /** The browser that has entered the code. */
  claim?: Claim
  /** The secret of the new session, which only the claimant can read. */
  sealed?: string
}

export interface Claim {
  publicKey: string
  /** Two digits, which the claimant shows. */
  number: string
  /** As from `browserOf`. */
  owner: string
  browser: string
  browserId: string
}

const PAIRING: NoteKind<Pairing> = { format: 1 }

export const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join('')

/** The name of the note. Whoever reads the store may guess the code from it, which alone opens nothing. */
export const pairingName = (code: string): string => `pairing ${fingerprint(code)}`

/** The name of the pairing that a session offered last. */
const OFFERED: NoteKind<string> = { format: 1 }

/**
 * Runs in a transaction. The session offers one code at a time: its pairing before this one ends, unless that
 * is confirmed.
 */
export async function offerPairing(context: Within, name: string, session: string): Promise<void> {
  const endsAtMs = context.now() + PAIRING_LIFETIME_SECONDS * SECOND_MS
  let before: string | undefined
  const replace = (offered?: string): string => {
    before = offered
    return name
  }
  await changeNote(context, OFFERED, `offered ${session}`, replace, endsAtMs)
  const end = (pairing?: Pairing): Pairing | undefined =>
    pairing?.sealed === undefined ? undefined : pairing
  if (before !== undefined) await changeNote(context, PAIRING, before, end, endsAtMs)
  await changeNote(context, PAIRING, name, () => ({ session, endsAtMs }), endsAtMs)
}

/** @throws Problem `not_found` if there is none, or it has ended or was used */
export async function readPairing(context: Within, name: string): Promise<Pairing> {
  const known = await readNote(context, PAIRING, name)
  if (!isOpen(context, known)) throw new Problem('not_found')
  return known
}

/**
 * Changes an open pairing in one atomic step.
 * @param change both functions may run on an outdated pairing first; `undefined` ends it
 * @returns the pairing before the change
 * @throws Problem `not_found` as {@link readPairing}, and for a pairing that may not be changed so
 */
export async function changePairing(
  context: Within,
  name: string,
  change: { may?: (pairing: Pairing) => boolean; to: (pairing: Pairing) => Pairing | undefined },
): Promise<Pairing> {
  let before: Pairing | undefined
  await changeNote(
    context,
    PAIRING,
    name,
    (known) => {
      before = isOpen(context, known) && (change.may?.(known) ?? true) ? known : undefined
      return before ? change.to(before) : known
    },
    context.now() + PAIRING_LIFETIME_SECONDS * SECOND_MS,
  )
  if (before === undefined) throw new Problem('not_found')
  return before
}

/** An offer that would outlast a new one was made before the clock was set back. */
const isOpen = ({ now }: Within, pairing: Pairing | undefined): pairing is Pairing =>
  timeLeftMs(pairing?.endsAtMs ?? 0, now(), PAIRING_LIFETIME_SECONDS * SECOND_MS) > 0

export const secondsLeft = ({ now }: Context, { endsAtMs }: Pairing): number =>
  Math.ceil((endsAtMs - now()) / SECOND_MS)
