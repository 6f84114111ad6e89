/** The names of an organization's browsers: one note has those that sent requests lately, for the ledger. */
import { ANOTHER_BROWSER } from '../../contract/chosen-name.ts'
import { Problem } from '../../contract/problem.ts'
import type { Context, Within } from '../core/context.ts'
import { changeNote, type NoteKind, readNote } from '../core/note.ts'
import { organizationOf } from './grant.ts'
import { BROWSER_LIFETIME_MS } from './owner.ts'
import { changeSession, type LoadedSession, senderOf } from './record.ts'

/** When another browser gets a name, the one that was written longest ago loses its own. */
export const MOST_NAMES = 200

interface NamedBrowser {
  /** As in the rows of the ledger. */
  sender: string
  name: string
}

const NAMES: NoteKind<readonly NamedBrowser[]> = { format: 1 }
const noteOf = (organization: string) => `browsers ${organization}`

/** The names by the sender in a row of the ledger. An unproven session has none. */
export async function readBrowserNames(
  context: Context,
  organization: string,
): Promise<ReadonlyMap<string, string>> {
  const known = (await readNote(context, NAMES, noteOf(organization))) ?? []
  return new Map(known.map(({ sender, name }) => [sender, name]))
}

async function writeName(context: Within, session: LoadedSession, name: string): Promise<void> {
  const sender = senderOf(session)
  await changeNote(
    context,
    NAMES,
    noteOf(organizationOf(session.record.credential)),
    (known = []) => [...known.filter((one) => one.sender !== sender), { sender, name }].slice(-MOST_NAMES),
    // The cookies of all these browsers have expired by then.
    context.now() + BROWSER_LIFETIME_MS,
  )
}

/** @param session proven. Its name in the list of sessions and in the ledger changes */
export async function changeBrowserName(
  context: Context,
  session: LoadedSession,
  name: string,
): Promise<void> {
  await context.store.transaction(async (store) => {
    const inside = { ...context, store }
    await writeName(inside, session, name)
    await changeSession(inside, session, (record) => record, { browser: name })
  })
}

/**
 * Gives a session that is proven the name that its browser has in the organization, or stores its own name
 * there. Writes nothing if both agree. No failure is reported: the next use of the session repeats it.
 */
export async function keepBrowserName(context: Context, session: LoadedSession): Promise<LoadedSession> {
  if (!session.record.proven) return session
  try {
    const { browser, owner, record } = session
    const names = await readBrowserNames(context, organizationOf(record.credential))
    const stored = names.get(senderOf(session))
    // A paired browser may have a name from a sign-in of its own.
    const name = stored ?? (record.person && names.get(owner)) ?? browser
    if (stored !== undefined && name === browser) return session
    return await context.store.transaction(async (store) => {
      const inside = { ...context, store }
      if (stored === undefined) await writeName(inside, session, name || ANOTHER_BROWSER)
      if (name === browser) return session
      return changeSession(inside, session, (record) => record, { browser: name })
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
  return session
}
