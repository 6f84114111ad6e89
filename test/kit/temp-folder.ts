/** A folder for each test of the importing file, removed afterwards, with the path of a database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

export let folder: string
export let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  file = join(folder, 'plimsoll.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
