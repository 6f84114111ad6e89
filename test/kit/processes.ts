/** Two bffs as in two processes: each has its own connection to one store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { startApp, type App, type AppOptions } from './app.ts'
import { type Person } from './person.ts'

/** Opens the store, for SQLite a file in its own folder. Both are removed after the test. */
export function twoProcesses(options: AppOptions = {}): readonly [App, App] {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  const stores =
    globalThis.openStoresOfFixture?.(2) ?? [1, 2].map(() => openSqlite(join(folder, 'plimsoll.db')))
  onTestFinished(async () => {
    for (const store of stores) await store.close()
    rmSync(folder, { recursive: true })
  })
  const first = startApp({ ...options, ...(stores[0] && { store: stores[0] }) })
  return [first, first.another(stores[1])]
}

/** The same browser, whose requests another process answers. */
export function throughAnother(browser: Person, process: App): Person {
  const same = process.browser()
  for (const [name, value] of browser.cookies) same.cookies.set(name, value)
  return same
}
