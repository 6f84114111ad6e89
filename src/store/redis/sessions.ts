import type { Connection } from './connection.ts'
import { SESSION_SCRIPTS } from './scripts/sessions.ts'
import type { ListedSession, Sessions, StoredSession } from '../store.ts'

type SessionRow = [
  format: string | null,
  encrypted: string,
  endsAtMs: string,
  owner: string,
  openedAtMs: string,
  seenAtMs: string,
  browser: string,
  version: string,
]
type ListedRow = [id: string, endsAtMs: string, openedAtMs: string, seenAtMs: string, browser: string]

export const sessions = ({ run }: Connection): Sessions => ({
  async readSession(id) {
    return sessionOf((await run(SESSION_SCRIPTS.readSession, id)) as SessionRow)
  },
  async readSessionVersions(ids) {
    const versions = (await run(SESSION_SCRIPTS.readSessionVersions, ...ids)) as (string | null)[]
    return versions.map((version) => (version === null ? undefined : Number(version)))
  },
  async writeSession(id, session, seenVersion) {
    const { encrypted, endsAtMs, owner, openedAtMs, seenAtMs, browser } = session
    // The client reads answers of Redis as text.
    const text = Buffer.from(encrypted).toString('base64')
    const values = [text, endsAtMs, owner, openedAtMs, seenAtMs, browser]
    return (await run(SESSION_SCRIPTS.writeSession, id, seenVersion, ...values)) === 1
  },
  async endSession(id) {
    await run(SESSION_SCRIPTS.endSession, id)
  },
  async listSessions(owner, nowMs) {
    const rows = (await run(SESSION_SCRIPTS.listSessions, owner)) as ListedRow[]
    return rows.map(listedSessionOf).filter(({ endsAtMs }) => endsAtMs > nowMs)
  },
})

function sessionOf([format, encrypted, endsAtMs, owner, openedAtMs, seenAtMs, browser, version]: SessionRow):
  | StoredSession
  | undefined {
  if (format === null) return undefined
  return {
    encrypted: new Uint8Array(Buffer.from(encrypted, 'base64')),
    endsAtMs: Number(endsAtMs),
    owner,
    openedAtMs: Number(openedAtMs),
    seenAtMs: Number(seenAtMs),
    browser,
    version: Number(version),
  }
}

const listedSessionOf = ([id, endsAtMs, openedAtMs, seenAtMs, browser]: ListedRow): ListedSession => ({
  id,
  endsAtMs: Number(endsAtMs),
  openedAtMs: Number(openedAtMs),
  seenAtMs: Number(seenAtMs),
  browser,
})
