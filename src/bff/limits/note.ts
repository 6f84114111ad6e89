/** Reads and writes what is known of the limits (contract/limit-notes.ts). */
import { DAY_MS } from '../../contract/duration.ts'
import {
  NO_ORGANIZATION_NOTE,
  NO_TOKEN_NOTE,
  type OrganizationNote,
  type TokenNote,
} from '../../contract/limit-notes.ts'
import type { Within } from '../core/context.ts'
import { changeNote, type NoteKind, parseNote, readNote } from '../core/note.ts'
import { type LimitOwner, organizationTopic } from '../session/limit-owner.ts'

const TOKEN_NOTE: NoteKind<TokenNote> = { format: 3 }
const ORGANIZATION_NOTE: NoteKind<OrganizationNote> = { format: 1 }
/** Longer than every window and pause of a token, and than the months of an organization. */
const LIFETIME_MS = { token: 40 * DAY_MS, organization: 1200 * DAY_MS }

/** Also the topic of its changes. */
const tokenTopic = (token: string): `token ${string}` => `token ${token}`

export const limitNoteNames = ({
  token,
  organization,
}: Pick<LimitOwner, 'token' | 'organization'>): string[] => [
  tokenTopic(token),
  organizationTopic(organization),
]

export interface LimitNotes {
  token: TokenNote
  organization: OrganizationNote
}

/** Gets the notes in the order of {@link limitNoteNames}. */
export const parseLimitNotes = ([token, organization]: readonly unknown[]): LimitNotes => ({
  token: parseNote(TOKEN_NOTE, token) ?? NO_TOKEN_NOTE,
  organization: parseNote(ORGANIZATION_NOTE, organization) ?? NO_ORGANIZATION_NOTE,
})

export const readLimitNotes = async (
  { store }: Within,
  owner: Pick<LimitOwner, 'token' | 'organization'>,
): Promise<LimitNotes> => parseLimitNotes(await store.readNotes(limitNoteNames(owner)))

export const readTokenNote = async (context: Within, token: string): Promise<TokenNote> =>
  (await readNote(context, TOKEN_NOTE, tokenTopic(token))) ?? NO_TOKEN_NOTE

export const readOrganizationNote = async (
  context: Within,
  organization: string,
): Promise<OrganizationNote> =>
  (await readNote(context, ORGANIZATION_NOTE, organizationTopic(organization))) ?? NO_ORGANIZATION_NOTE

export const writeTokenNote = (
  context: Within,
  token: string,
  note: TokenNote,
  lifetimeMs = LIFETIME_MS.token,
): Promise<void> => changeNote(context, TOKEN_NOTE, tokenTopic(token), () => note, context.now() + lifetimeMs)

export const writeOrganizationNote = (
  context: Within,
  organization: string,
  note: OrganizationNote,
  lifetimeMs = LIFETIME_MS.organization,
): Promise<void> =>
  changeNote(
    context,
    ORGANIZATION_NOTE,
    organizationTopic(organization),
    () => note,
    context.now() + lifetimeMs,
  )
