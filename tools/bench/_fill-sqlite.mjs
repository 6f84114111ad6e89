// Fills a SQLite store in one transaction, without triggers; their counts are summed once at the end.
import Database from 'libsql'
import { load } from './_load.mjs'

const { createTables, LENGTHS_MS, OUTCOME, SUCCEEDED } = await load('store/sqlite/schema.ts')

/** Works on a file without triggers, and without waiting for the disk. */
function fill(file, work) {
  const db = new Database(file)
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF')
  createTables(db)
  db.exec('BEGIN')
  const triggers = db.prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger'`).all()
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`)
  work(db)
  for (const { sql } of triggers) db.exec(sql)
  db.exec('COMMIT')
  db.close()
}

const [QUARTER_MS, ...LONGER_MS] = LENGTHS_MS
const COUNTS = `
  INSERT INTO request_counts SELECT organization, ${QUARTER_MS}, requests.at_ms - requests.at_ms % ${QUARTER_MS}, kind, ${OUTCOME}, ${SUCCEEDED}, count(*)
    FROM requests LEFT JOIN settlements ON entry = id GROUP BY 1, 3, 4, 5, 6;
  ${LONGER_MS.map(
    (lengthMs) => `
  INSERT INTO request_counts SELECT organization, ${lengthMs}, start_ms - start_ms % ${lengthMs}, kind, outcome, succeeded, sum(count)
    FROM request_counts WHERE length_ms = ${QUARTER_MS} GROUP BY 1, 3, 4, 5, 6;`,
  ).join('')}`

/** The id of a row, with the same length as the app's ids. */
export const entryId = (nth) => `m${`${nth}`.padStart(8, '0')}-${`${nth}`.padStart(12, '0')}`

/** Adds requests of five kinds and outcomes, spread evenly between two instants. */
export const fillLedger = (file, { organization, rows, startMs, endMs }) =>
  fill(file, (db) => {
    db.exec(`CREATE TEMP TABLE nths AS WITH RECURSIVE n (nth) AS (SELECT 0 UNION ALL SELECT nth + 1 FROM n WHERE nth < ${rows - 1})
        SELECT nth, printf('m%08d-%012d', nth, nth) AS entry FROM n;
      INSERT INTO requests (id, organization, token, kind, method, path, initiator, at_ms, owner)
        SELECT entry, '${organization}', printf('%022d', nth % 50),
          CASE nth % 5 WHEN 0 THEN 'token.refresh' WHEN 1 THEN 'api.update' ELSE 'api.read' END,
          'GET', '/organizations/{id}', 'person', ${startMs} + nth * ${endMs - startMs} / ${rows}, printf('browser %043d', nth % 7) FROM nths;
      INSERT INTO settlements SELECT entry, CASE nth % 5 WHEN 3 THEN 'uncertain' ELSE 'settled' END,
        CASE nth % 5 WHEN 3 THEN NULL WHEN 4 THEN 429 ELSE 200 END, ${endMs} FROM nths;
      DROP TABLE nths;
      ${COUNTS}
      INSERT INTO changes (topic) VALUES ('organization ${organization}')`)
  })

/** @param sessions `[id, session]` each, as the store gets them */
export const fillSessions = (file, sessions) =>
  fill(file, (db) => {
    const add =
      db.prepare(`INSERT INTO sessions (id, encrypted, ends_at_ms, version, owner, opened_at_ms, seen_at_ms, browser)
      VALUES (?, ?, ?, 1, ?, ?, ?, ?)`)
    for (const [id, { encrypted, endsAtMs, owner, openedAtMs, seenAtMs, browser }] of sessions)
      add.run([id, encrypted, endsAtMs, owner, openedAtMs, seenAtMs, browser])
  })
