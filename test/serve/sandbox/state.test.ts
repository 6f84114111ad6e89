import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { LAST_TO_SET_MS } from '../../../src/sandbox/state/parse.ts'
import { seedFor } from '../../../src/sandbox/state/seed.ts'
import { openStoredSandbox, type StoredSandbox } from '../../../src/serve/sandbox/state.ts'
import { BASE, START_MS } from '../../kit/sandbox.ts'
import { folder } from '../../kit/temp-folder.ts'

const path = () => join(folder, 'data', 'sandbox.db')
const opened: StoredSandbox[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const one of opened.splice(0)) one.close()
})

let answerLate = () => {}

function open(publicUrl = 'http://localhost:3000') {
  const stored = openStoredSandbox(path(), {
    random: () => 'drawn at the first start',
    seedFor: (random) => seedFor({ publicUrl, random }),
    now: () => START_MS,
    wait: () => new Promise<void>((resolve) => (answerLate = resolve)),
  })
  opened.push(stored)
  return stored
}

/** Closes the one that is open. */
function reopen(publicUrl?: string) {
  opened.pop()?.close()
  return open(publicUrl)
}

const REFUSED = /^Another sandbox is using .*sandbox\.db\. Stop it, or choose .* with PLIMSOLL_STORE\.$/

describe('a stored sandbox', () => {
  test('makes its folder, and a file that its owner alone can read', () => {
    open()
    expect(statSync(path()).mode & 0o777).toBe(0o600)
  })

  test('goes on with its choices, its clock and its history', async () => {
    const first = open().sandbox
    first.control.changeChoices({ deny: 'page' })
    first.control.moveClock({ do: 'freeze' })
    first.control.moveClock({ do: 'to_month_end' })
    await first.fetch(new Request(`${BASE}/organizations`))
    const { sandbox } = reopen()
    expect(sandbox.snapshot()).toEqual(first.snapshot())
    expect(sandbox.control.choices().deny).toBe('page')
    expect(sandbox.control.nowMs()).toBe(Date.UTC(2026, 11, 1))
  })

  test('has all that was saved in between, also what is gone since', async () => {
    let { sandbox } = open()
    for (const choices of [
      { oldaccess: 'revoked' },
      { window: 'sliding' },
      { secondgrant: 'first_revoked' },
    ]) {
      sandbox.control.changeChoices(choices)
      const mint = new Request('http://127.0.0.1:4001/tokens', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ person: 'ada', organization_id: 1001 }),
      })
      const { access_token, refresh_token } = await (await sandbox.control.fetch(mint)).json()
      const headers = { Authorization: `Bearer ${access_token}` }
      for (let nth = 0; nth < 3; nth += 1)
        await sandbox.fetch(new Request(`${BASE}/organizations/1001`, { headers }))
      const [{ client_id, client_secret } = { client_id: '', client_secret: '' }] =
        sandbox.currentSeed().applications
      const form = { grant_type: 'refresh_token', refresh_token, client_id, client_secret }
      const body = new URLSearchParams(form)
      await sandbox.fetch(new Request(`${BASE}/oauth2/token`, { method: 'POST', body }))
      sandbox.control.moveClock({ do: 'to_month_end' })
      const before = sandbox
      sandbox = reopen().sandbox
      expect(sandbox.snapshot()).toEqual(before.snapshot())
    }
    sandbox.control.clearRequestLog()
    sandbox.control.seed({ api_keys: [] })
    const after = reopen().sandbox
    expect(after.snapshot()).toEqual(sandbox.snapshot())
    expect(after.currentSeed()).toEqual(sandbox.currentSeed())
  })

  test('opens again with the latest clock and the largest limits that it takes', () => {
    const { sandbox } = open()
    const { control } = sandbox
    expect(() => control.moveClock({ do: 'set', ms: 253_402_300_799_999 })).toThrow('time: ')
    control.moveClock({ do: 'set', ms: LAST_TO_SET_MS })
    for (const limit of ['read_per_minute', 'update_per_minute', 'per_month']) {
      expect(() => control.changeLimits({ 1001: { [limit]: 1e15 } })).toThrow(`1001.${limit}: `)
      control.changeLimits({ 1001: { [limit]: limit === 'per_month' ? 1e9 : 1e6 } })
      control.issueTokens({ person: 'ada', organization_id: 1001 })
      for (const name of ['minute_used_up', 'month_used_up']) control.applyPreset({ name })
    }
    expect(reopen().sandbox.snapshot()).toEqual(sandbox.snapshot())
  })

  test.each(['after a kill', 'after a kill, with other settings'])(
    'issues to nobody what it had issued before, %s',
    async (how) => {
      const first = open().sandbox
      const issue = ({ control }: typeof first) =>
        Object.values(control.issueTokens({ person: 'ada', organization_id: 1001 }))
      const before = [...issue(first), first.control.issueKey({ organization_id: 1001 }).value]
      sql('CREATE TABLE killed AS SELECT * FROM record')
      opened.pop()?.close()
      // What a kill leaves: nothing has been saved since the start.
      sql('DELETE FROM record; INSERT INTO record SELECT * FROM killed')
      const { sandbox } = open(how.endsWith('settings') ? 'http://localhost:5000' : undefined)
      expect(issue(sandbox).filter((secret) => before.includes(secret))).toEqual(['Bearer', 3600])
    },
  )

  test('begins again with other settings, with the same secrets', () => {
    const first = open().sandbox
    first.control.changeChoices({ deny: 'page' })
    const key = first.control.issueKey({ organization_id: 1001 })
    const { sandbox } = reopen('http://localhost:5000')
    // A new secret is none that a client may still have.
    expect(sandbox.control.issueKey({ organization_id: 1001 }).value).not.toBe(key.value)
    expect(sandbox.control.choices().deny).not.toBe('page')
    expect(sandbox.currentSeed().api_keys).toEqual(first.currentSeed().api_keys)
  })

  test('goes back to the last seed at a reset, and to the built-in one with an empty seed', () => {
    const first = open().sandbox
    const builtIn = first.currentSeed()
    const api_keys = [{ value: 'a-key', organization_id: 1001, issued_by: 'ada' }]
    first.control.seed({ api_keys })
    reopen()
    const { sandbox } = reopen()
    expect(sandbox.snapshot().api_keys).toEqual(api_keys)
    sandbox.control.changeChoices({ deny: 'page' })
    sandbox.control.reset()
    expect(sandbox.snapshot()).toMatchObject({ api_keys, organizations: builtIn.organizations })
    sandbox.control.seed({})
    expect(sandbox.snapshot().api_keys).toEqual(builtIn.api_keys)
    sandbox.control.seed({ api_keys: [] })
    sandbox.control.seed({ applications: [] })
    expect(sandbox.snapshot()).toMatchObject({ applications: [], api_keys: builtIn.api_keys })
  })
})

const sql = (text: string) => {
  const db = new Database(path())
  db.exec(text)
  db.close()
}

test('a sandbox goes on where its file takes nothing, and stores all of it when there is room again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { sandbox } = open()
  sql(`CREATE TRIGGER full BEFORE INSERT ON record WHEN NEW.key = 'choices'
    BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END`)
  await sandbox.fetch(new Request(`${BASE}/organizations`))
  sandbox.control.changeChoices({ deny: 'page' })
  vi.advanceTimersByTime(1000)
  sql('DROP TRIGGER full')
  sandbox.control.changeChoices({ deny: 'service_home' })
  vi.advanceTimersByTime(1000)
  expect(reopen().sandbox.snapshot()).toEqual(sandbox.snapshot())
})

test('a stop that cannot save says so with the cause, and lets go of the file', async () => {
  const { sandbox, close } = open()
  sql(`CREATE TRIGGER full BEFORE INSERT ON record
    BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END`)
  sandbox.control.changeChoices({ deny: 'page' })
  expect(close).toThrow(/sandbox\.db could not be saved: database or disk is full\.$/)
  opened.pop()
  // Nor does it begin: what it issued then might be issued again.
  expect(open).toThrow(/sandbox\.db cannot be used: database or disk is full\./)
  sql('DROP TRIGGER full')
  open()
})

test('an entry of the log that was saved before its answer is completed by a later save (7)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { sandbox } = open()
  sandbox.control.addFault({ operation: 'any', kind: 'delay' })
  const answer = sandbox.fetch(new Request(`${BASE}/organizations`))
  vi.advanceTimersByTime(1000)
  answerLate()
  await answer
  expect(reopen().sandbox.control.requestLog()).toMatchObject([{ rule: 'missing_credential', status: 401 }])
})

test.each([
  [
    'another file',
    () => [rmSync(`${path()}-wal`, { force: true }), writeFileSync(path(), 'x'.repeat(5000))],
    'file is not a database',
  ],
  ['one without its secret', () => sql("DELETE FROM record WHERE key = 'random'"), 'it is not the state of'],
  ['JSON that ends early', () => sql("UPDATE record SET json = '{' WHERE key = 'seed'"), 'JSON'],
  ['a choice that is gone', () => sql(`UPDATE record SET json = '{"x":1}' WHERE key = 'choices'`), 'x: '],
  [
    'a seed that does not fit',
    () => sql(`UPDATE record SET json = '{"people":5}' WHERE key = 'current_seed'`),
    'people: ',
  ],
])('a sandbox is refused where %s is stored: it says why, and leaves the file as it is', (_, damage, why) => {
  open().close()
  opened.pop()
  damage()
  const before = readFileSync(path())
  expect(() => open()).toThrow(new RegExp(`sandbox\\.db cannot be used: .*${why}[^]* PLIMSOLL_STORE\\.$`))
  expect(readFileSync(path())).toEqual(before)
  rmSync(path())
  open()
})

test('a folder in place of the file is an error in one sentence', () => {
  mkdirSync(path(), { recursive: true })
  expect(() => open()).toThrow(
    /sandbox\.db cannot be used: it is a folder\. Move it away, or .* PLIMSOLL_STORE\.$/,
  )
})

test('a file that another process has open is refused, until that one has ended or was killed', async () => {
  open()
  expect(() => open()).toThrow(REFUSED)
  opened.pop()?.close()
  const source = `
    const db = new (require('libsql'))(process.argv[1])
    db.exec('BEGIN EXCLUSIVE')
    console.log('locked')
    process.stdin.resume()
  `
  const child = spawn(process.execPath, ['-e', source, `${path()}.lock`])
  await once(child.stdout, 'data')
  expect(() => open()).toThrow(REFUSED)
  child.kill('SIGKILL')
  await once(child, 'exit')
  open()
})
