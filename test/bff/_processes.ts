/** Two bffs as in two processes: each has its own connection to one store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { type Browser, createFixture, type Fixture, type FixtureOptions } from '../_fixture.ts'

/** Opens the store, for SQLite a file in its own folder. Both are removed after the test. */
export function twoProcesses(options: FixtureOptions = {}): readonly [Fixture, Fixture] {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  const stores =
    globalThis.openStoresOfFixture?.(2) ?? [1, 2].map(() => openSqlite(join(folder, 'plimsoll.db')))
  onTestFinished(async () => {
    for (const store of stores) await store.close()
    rmSync(folder, { recursive: true })
  })
  const first = createFixture({ ...options, ...(stores[0] && { store: stores[0] }) })
  return [first, first.another(stores[1])]
}

/** The same browser, whose requests another process answers. */
export function throughAnother(browser: Browser, process: Fixture): Browser {
  const same = process.browser()
  for (const [name, value] of browser.cookies) same.cookies.set(name, value)
  return same
}
