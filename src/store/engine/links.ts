import type { Links, StoredLink } from '../store.ts'
import { placesOf, type Scope } from './database.ts'

export const links = (scope: Scope): Links => ({
  addLink: ({ hash, organization, name, madeBy, madeAtMs, endsAtMs, usedDay, usedBy }) =>
    scope.write(async (tx) => {
      await tx.run(ADD, [hash, organization, name, madeBy, madeAtMs, endsAtMs, usedDay, usedBy])
    }),

  listLinks: (organization, nowMs) => scope.all<StoredLink>(LIST, [nowMs, organization]),

  async readLinks(hashes, nowMs) {
    const rows = await scope.all<StoredLink>(`${OPEN} AND hash IN (${placesOf(hashes, 1)})`, [
      nowMs,
      ...hashes,
    ])
    return new Map(rows.map((link) => [link.hash, link]))
  },

  noteLinkUse: (hash, day, browser) =>
    scope.write(async (tx) => {
      await tx.run(USE, [hash, day, browser])
    }),

  removeLink: (hash) =>
    scope.write(async (tx) => {
      const [removed] = await tx.all<{ organization: string }>(REMOVE, [hash])
      if (removed) await tx.changed(`organization ${removed.organization}`)
    }),
})

const OPEN = `SELECT hash, organization, name, made_by AS "madeBy", made_at_ms AS "madeAtMs",
    ends_at_ms AS "endsAtMs", used_day AS "usedDay", used_by AS "usedBy"
  FROM watch_links WHERE ends_at_ms > $1`
const LIST = `${OPEN} AND organization = $2 ORDER BY made_at_ms DESC, hash`
const ADD = `INSERT INTO watch_links
    (hash, organization, name, made_by, made_at_ms, ends_at_ms, used_day, used_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
const USE = 'UPDATE watch_links SET used_day = $2, used_by = $3 WHERE hash = $1 AND used_day <> $2'
const REMOVE = 'DELETE FROM watch_links WHERE hash = $1 RETURNING organization'
