// The backups of docs/deploy.md, by its own commands: real processes, while four people press.
import { readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LedgerEntry, LedgerPage } from '../src/contract/ledger.ts'
import { type Deployment, openDeployment } from './kit/deployment.ts'
import { type Port, putProgram } from './kit/machine.ts'
import { IS_WHOLE } from './_extent.ts'
import { APP, BUSINESS } from './kit/app.ts'
import { type Person } from './kit/person.ts'
import { findPostgres, startPostgres } from './store/_postgres-server.ts'
import { until } from './kit/until.ts'

const BACKUPS = IS_WHOLE ? 10 : 1
const FOLDER = 'var/backups/plimsoll'
const PEOPLE = ['Ada', 'Cleo', 'Ada', 'Cleo']
const PATHS = [`/organizations/${BUSINESS}`, '/organizations', '/rate_limit']

/** The people need no proxy, and the tests start their own server. */
const withoutServers = (command: string) =>
  /nginx|https:|doctor|postgresql@/.test(command) ? undefined : command

interface Store {
  name: string
  sections: { up: string[]; backup: string; restore: string }
  /** Those that stop for a restore. */
  instances: string[]
  health: Port
  open: () => Promise<Deployment>
}
const SQLITE: Store = {
  name: 'SQLite',
  sections: { up: ['One machine with SQLite'], backup: 'Backup of SQLite', restore: 'Restore of SQLite' },
  instances: ['plimsoll@sqlite'],
  health: '9471',
  open: () => openDeployment(),
}
const POSTGRES: Store = {
  name: 'PostgreSQL',
  sections: {
    up: ['PostgreSQL', 'The instances'],
    backup: 'Backup of PostgreSQL',
    restore: 'Restore of PostgreSQL',
  },
  instances: ['plimsoll@1', 'plimsoll@2'],
  health: '9471',
  async open() {
    const server = await startPostgres()
    const deployment = await openDeployment({
      'https://plimsoll.example.com': APP,
      '@localhost/plimsoll?host=/var/run/postgresql': `@127.0.0.1:${server.port}/plimsoll`,
    })
    const where = `PGHOST=127.0.0.1 PGPORT=${server.port} PATH=${server.bin}:$PATH`
    putProgram(deployment.machine, 'runuser', `user=$2; shift 3; PGUSER=$user ${where} exec "$@"`)
    return {
      ...deployment,
      close: async () => {
        await deployment.close()
        await server.remove()
      },
    }
  },
}

async function openWithPeople({ open, sections: { up } }: Store) {
  const deployment = await open()
  for (const section of up) await deployment.run(section, withoutServers)
  const people = PEOPLE.map(() => deployment.person('3001'))
  for (const [nth, person] of people.entries()) await person.signIn(BUSINESS, PEOPLE[nth])
  return { deployment, people }
}

// The run reports that PostgreSQL is missing.
test.each([SQLITE, ...(IS_WHOLE && findPostgres() !== undefined ? [POSTGRES] : [])])(
  'each backup of $name, made while four people press, has sessions, ledger and counts (8.3)',
  async (store) => {
    const { deployment, people } = await openWithPeople(store)
    const { sections, instances, health } = store
    const pressing = pressUntilEnded(people)
    const taken = []
    for (let nth = 0; nth < BACKUPS; nth += 1) {
      await pressing.more()
      const before = await seenBy(people)
      await deployment.run(sections.backup)
      const newest = readdirSync(deployment.machine.at(FOLDER)).toSorted().at(-1) ?? ''
      taken.push({ before, newest, after: await seenBy(people) })
      // The name of a backup has the second.
      await delay(1000)
    }
    await pressing.end()
    expect(new Set(taken.map(({ newest }) => newest)).size).toBe(BACKUPS)
    const sent = deployment.service.arrived.length
    for (const { before, newest, after } of taken.toReversed()) {
      for (const name of readdirSync(deployment.machine.at(FOLDER)))
        if (name > newest) rmSync(deployment.machine.at(join(FOLDER, name)))
      // A fresh start: no instance remembers what the backup lacks.
      await deployment.run(sections.restore)
      await deployment.ready(health)
      const restored = await seenBy(people)
      expect(restored.sessions).toEqual(before.sessions)
      expect(missingFrom(restored.rows, before.rows)).toEqual([])
      expect(missingFrom(after.rows, restored.rows)).toEqual([])
      expect(restored.month.high).toBe(restored.rows.filter(({ counts }) => counts !== 'no').length)
      expect(restored.month.low).toBeGreaterThanOrEqual(before.month.low)
      expect(restored.month.low).toBeLessThanOrEqual(after.month.low)
      await deployment.systemctl('stop', ...instances)
    }
    expect(deployment.service.arrived.length).toBe(sent)
    await deployment.close()
  },
)

describe('the backup of SQLite', () => {
  const program = '/usr/local/sbin/sqlite-backup'
  const data = 'var/lib/plimsoll'
  let deployment: Deployment
  let people: Person[]
  beforeAll(async () => {
    ;({ deployment, people } = await openWithPeople(SQLITE))
  })
  afterAll(() => deployment.close())
  const run = (command: string) => deployment.machine.run(command)
  const filesIn = (folder: string) =>
    readdirSync(deployment.machine.at(folder), { encoding: 'utf8', recursive: true }).toSorted()

  test('a backup that fails leaves no file, and the next one is made', async () => {
    await deployment.run('Backup of SQLite')
    const files = filesIn(FOLDER)
    expect(files).toHaveLength(1)
    // As on a disk that is full after a kilobyte.
    await expect(run(`ulimit -f 2; ${program}`)).rejects.toThrow(/cannot be copied to [^]*ended with 1$/)
    expect(filesIn(FOLDER)).toEqual(files)
    await run(program)
    expect(filesIn(FOLDER)).toHaveLength(2)
  })

  test('every backup stays, unless --keep says how many', async () => {
    const made = filesIn(FOLDER)
    for (let nth = 0; nth < 2; nth += 1) made.push(basename((await run(program)).trim()))
    expect(filesIn(FOLDER)).toEqual(made)
    const last = basename((await run(`${program} --keep 2`)).trim())
    expect(filesIn(FOLDER)).toEqual([...made, last].slice(-2))
    await expect(run(`${program} --keep 0`)).rejects.toThrow('--keep needs a whole number above 0')
  })

  test('a store in use is not replaced', async () => {
    const files = filesIn(data)
    await expect(run(`${program} --restore newest`)).rejects.toThrow(/is (in use: stop|running: stop)/)
    expect(filesIn(data)).toEqual(files)
    for (const person of people) expect((await person.session()).body.signed_in).toBe(true)
  })

  test('a damaged backup replaces nothing', async () => {
    await deployment.systemctl('stop', 'plimsoll@sqlite')
    const files = filesIn(data)
    await run(
      `head -c 5000 "$(find /var/backups/plimsoll -type f | sort | tail -n 1)" > /var/backups/plimsoll/damaged`,
    )
    await expect(run(`${program} --restore /var/backups/plimsoll/damaged`)).rejects.toThrow(
      /damaged (is damaged|cannot be read)/,
    )
    await expect(run(`${program} --restore /var/backups/plimsoll/none`)).rejects.toThrow('there is no backup')
    expect(filesIn(data)).toEqual(files)
  })
})

interface Seen {
  sessions: (string | undefined)[]
  rows: LedgerEntry[]
  month: { low: number; high: number }
}

/** The sessions of all, and the organization as the first of them sees it. */
async function seenBy(people: readonly Person[]): Promise<Seen> {
  const sessions = []
  for (const person of people) {
    const { body } = await person.session()
    sessions.push(body.signed_in ? body.id : undefined)
  }
  const [first] = people
  if (first === undefined) throw new Error('there is nobody')
  const rows: LedgerEntry[] = []
  for (let next: string | undefined = ''; next !== undefined; ) {
    const path: string = `/bff/ledger${next === '' ? '' : `?next=${next}`}`
    const { body } = await first.request<LedgerPage>('GET', path)
    rows.push(...body.entries)
    next = body.next
  }
  const { month } = await first.quota()
  return { sessions, rows, month }
}

/** Rows of the second list that the first lacks. A row may have been settled in the meantime. */
function missingFrom(rows: readonly LedgerEntry[], wanted: readonly LedgerEntry[]): LedgerEntry[] {
  const left = [...rows]
  return wanted.filter((row) => {
    const at = left.findIndex(
      (one) =>
        one.at === row.at &&
        one.kind === row.kind &&
        one.by === row.by &&
        (row.outcome === 'reserved' || one.outcome === row.outcome),
    )
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** Everyone presses without a pause, until the end. */
function pressUntilEnded(people: readonly Person[]) {
  const over = new AbortController()
  const paid = people.map(() => 0)
  const all = people.map(async (person, nth) => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const answer = await person.spend<unknown>(PATHS[turn % PATHS.length] ?? '')
      if (answer.status !== 200) throw new Error(`a press answered ${answer.status}`)
      paid[nth] = (paid[nth] ?? 0) + Number(answer.headers.get('X-Plimsoll-Spent'))
    }
  })
  return {
    /** Waits until each has paid for a request again. */
    async more() {
      const before = [...paid]
      await Promise.race([
        until(() => paid.every((count, nth) => count > (before[nth] ?? 0))),
        ...all.map((each) => each.then(() => Promise.reject(new Error('nobody presses')))),
      ])
    },
    async end() {
      over.abort()
      await Promise.all(all)
    },
  }
}
