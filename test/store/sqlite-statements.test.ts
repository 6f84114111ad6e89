import { expect, test } from 'vitest'
import { openDatabase } from '../../src/store/sqlite-database.ts'
import { prepareStatements } from '../../src/store/sqlite-statements.ts'

test('every statement fits the tables, and is prepared once', () => {
  const db = openDatabase(':memory:')
  const prepared: string[] = []
  const statements = prepareStatements({
    ...db,
    prepare(sql) {
      prepared.push(sql)
      return db.prepare(sql)
    },
  })
  expect(new Set(prepared).size).toBe(Object.keys(statements).length)
  statements.writeNote.run('a', '1', 5)
  expect(statements.readNote.all('a')).toEqual([{ value: '1' }])
  expect(statements.sweepNotes.run(5)).toBe(1)
})
