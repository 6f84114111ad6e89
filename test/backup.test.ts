// The backups of docs/deploy.md, by its own commands: real processes, while four people press.
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LedgerEntry, type LedgerPage, parseLedger } from '../src/contract/ledger.ts'

import { type Port, putRedisCertificates } from '../tools/deploy/machine.ts'
import { type Deployment, openDeployment } from './kit/deployment.ts'
import { IS_WHOLE } from './_extent.ts'
import { BUSINESS } from './kit/app.ts'
import { type Person } from './kit/person.ts'
import { findRedisServer } from './store/_redis-server.ts'
import { until } from './kit/until.ts'

const BACKUPS = IS_WHOLE ? 10 : 3
const FOLDER = 'var/backups/plimsoll'
const PEOPLE = ['Ada', 'Cleo', 'Ada', 'Cleo']
const PATHS = [`/organizations/${BUSINESS}`, '/organizations', '/rate_limit']

interface Store {
  name: string
  instance: string
  /** The ports of its pages and of its health. */
  ports: [Port, Port]
  sections: { up: string[]; backup: string; restore: string }
  program: string
  data: string
}
const SQLITE: Store = {
  name: 'SQLite',
  instance: 'plimsoll@sqlite',
  ports: ['3001', '9471'],
  sections: {
    up: ['One machine, without Redis'],
    backup: 'Backup of SQLite',
    restore: 'Restore of SQLite',
  },
  program: '/usr/local/sbin/sqlite-backup',
  data: 'var/lib/plimsoll',
}
const REDIS: Store = {
  name: 'Redis',
  instance: 'plimsoll@1',
  ports: ['3001', '9471'],
  sections: { up: ['Redis', 'The instances'], backup: 'Backup of Redis', restore: 'Restore of Redis' },
  program: '/usr/local/sbin/redis-backup',
  data: 'var/lib/redis',
}
// The run reports that Redis is missing.
const stores = [SQLITE, ...(IS_WHOLE && findRedisServer() !== undefined ? [REDIS] : [])]

describe.each(stores)(
  'the backup of $name',
  ({ instance, ports: [port, health], sections, program, data }) => {
    let deployment: Deployment
    let people: Person[]
    beforeAll(async () => {
      deployment = await openDeployment()
      if (program === REDIS.program) putRedisCertificates(deployment.machine)
      // The people need no proxy.
      const withoutNginx = (command: string) => (/nginx|https:|doctor/.test(command) ? undefined : command)
      for (const section of sections.up) await deployment.run(section, withoutNginx)
      people = PEOPLE.map(() => deployment.person(port))
      for (const [nth, person] of people.entries()) await person.signIn(BUSINESS, PEOPLE[nth])
    })
    afterAll(() => deployment.close())

    const run = (command: string) => deployment.machine.run(command)
    const backUp = async () => (await deployment.run(sections.backup)).trim()
    const filesIn = (folder: string) =>
      readdirSync(deployment.machine.at(folder), { encoding: 'utf8', recursive: true }).toSorted()
    // Redis gives its settings in another order each time.
    const settings = () =>
      sections === REDIS.sections
        ? run("/usr/local/sbin/redis-operator config get '*' | paste - - | sort")
        : Promise.resolve('')

    test('a backup that fails leaves no file and no other setting, and the next one is made', async () => {
      await backUp()
      const [files, before] = [filesIn(FOLDER), await settings()]
      expect(files).toHaveLength(1)
      // As on a disk that is full after a kilobyte.
      await expect(run(`ulimit -f 2; ${program}`)).rejects.toThrow(/cannot be copied to [^]*ended with 1$/)
      expect(filesIn(FOLDER)).toEqual(files)
      await run(program)
      expect(filesIn(FOLDER)).toHaveLength(2)
      expect(await settings()).toBe(before)
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

    test('each backup, made while four people press, has sessions, ledger and counts (8.3)', async () => {
      const pressing = pressUntilEnded(people)
      const taken = []
      for (let nth = 0; nth < BACKUPS; nth += 1) {
        await pressing.more()
        const before = await seenBy(people)
        const file = await backUp()
        taken.push({ before, file, after: await seenBy(people) })
      }
      await pressing.end()
      expect(new Set(taken.map(({ file }) => file)).size).toBe(BACKUPS)
      const sent = deployment.service.arrived.length
      await deployment.systemctl('stop', 'plimsoll@1', 'plimsoll@2', instance)
      for (const { before, file, after } of taken) {
        // A fresh start: no instance remembers what the backup lacks.
        const said = await deployment.run(sections.restore, (command) =>
          /^until|plimsoll@/.test(command) ? undefined : command.replace('newest', file),
        )
        expect(said).toContain(`restored ${file}`)
        await deployment.systemctl('start', instance)
        await deployment.ready(health)
        const restored = await seenBy(people)
        expect(restored.sessions).toEqual(before.sessions)
        expect(missingFrom(restored.rows, before.rows)).toEqual([])
        expect(missingFrom(after.rows, restored.rows)).toEqual([])
        expect(restored.month.high).toBe(restored.rows.filter(({ counts }) => counts !== 'no').length)
        expect(restored.month.low).toBeGreaterThanOrEqual(before.month.low)
        expect(restored.month.low).toBeLessThanOrEqual(after.month.low)
        await deployment.systemctl('stop', instance)
      }
      expect(deployment.service.arrived.length).toBe(sent)
    })

    test('a damaged backup replaces nothing', async () => {
      await deployment.systemctl('stop', instance, 'redis-server@plimsoll')
      const files = filesIn(data)
      await run(
        `head -c 5000 "$(find /var/backups/plimsoll -type f | sort | tail -n 1)" > /var/backups/plimsoll/damaged`,
      )
      await expect(run(`${program} --restore /var/backups/plimsoll/damaged`)).rejects.toThrow(
        /damaged (is damaged|cannot be read)/,
      )
      await expect(run(`${program} --restore /var/backups/plimsoll/none`)).rejects.toThrow(
        'there is no backup',
      )
      expect(filesIn(data)).toEqual(files)
    })
  },
)

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
    const { body } = await first.request('GET', `/bff/ledger${next === '' ? '' : `?next=${next}`}`)
    const page: LedgerPage = parseLedger(body)
    rows.push(...page.entries)
    next = page.next
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
