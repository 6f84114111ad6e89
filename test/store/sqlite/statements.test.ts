import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/store/sqlite/database.ts'
import { prepareStatements, prepareSweeps } from '../../../src/store/sqlite/statements.ts'

test('every statement fits the tables, and is prepared once', () => {
  const db = openDatabase(':memory:')
  const prepared: string[] = []
  const counting = {
    ...db,
    prepare(sql: string) {
      prepared.push(sql)
      return db.prepare(sql)
    },
  }
  const statements = prepareStatements(counting)
  const { lapsed, ended, longEnded } = prepareSweeps(counting)
  // One more for lapsed leases, one for surplus changes, and two for the fold.
  const all = Object.keys(statements).length + [...lapsed, ...ended, ...longEnded].length + 4
  expect([prepared.length, new Set(prepared).size]).toEqual([all, all])
  statements.writeNote.run('a', '1', 5)
  expect(statements.readNote.all('a')).toEqual([{ value: '1' }])
})

test.each([
  ['newestAtMs', 'requests_by_organization'],
  ['countSent', 'requests_by_token'],
  ['listInFlight', 'requests_by_token'],
  ['listEachInFlight', 'requests_by_token'],
  ['readSessionVersions', 'sqlite_autoindex_sessions_1'],
  ['readNotes', 'sqlite_autoindex_notes_1'],
  ['attributeRequests', 'requests_by_organization'],
  ['listSessions', 'sessions_by_owner'],
  ['listEntries', 'requests_by_organization'],
  ['countUnanswered', 'requests_by_organization'],
  ['listReadings', 'readings_by_organization'],
  ['changedSince', 'PRIMARY KEY (rowid>?)'],
  ['countByKind', 'PRIMARY KEY (organization=? AND length_ms=? AND start_ms>?'],
] as const)('%s reads by the index %s, and no table as a whole', (name, index) => {
  const db = openDatabase(':memory:')
  const texts: string[] = []
  const statements = prepareStatements({
    ...db,
    prepare(sql) {
      texts.push(sql)
      return db.prepare(sql)
    },
  })
  const text = texts[Object.keys(statements).indexOf(name)]
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all<{ detail: string }>()
  const details = plan.map(({ detail }) => detail).join('\n')
  expect(details).toContain(index)
  expect(details).not.toMatch(/SCAN (requests|sessions|settlements|request_counts|readings|changes)/)
})

test('a fold finds the old rows by the index of time', () => {
  const db = openDatabase(':memory:')
  let text = ''
  prepareSweeps({
    ...db,
    prepare(sql) {
      if (sql.includes('ORDER BY at_ms')) text = sql
      return db.prepare(sql)
    },
  })
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all<{ detail: string }>()
  expect(plan.map(({ detail }) => detail).join('\n')).toContain('requests_by_time (at_ms<?)')
})
