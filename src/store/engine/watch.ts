/** Changes of topics: each write notes them, and watchers hear of those of every process. */
import { randomUUID } from 'node:crypto'
import type { Topic } from '../store.ts'
import type { Change, Database, Dialect, Scope, Value, Writer } from './database.ts'
import { NEXT_NUMBER } from './schema.ts'

/** How long a change by another process may take to be heard of. */
const LOOK_EVERY_MS = 100
/** In PostgreSQL a change may be seen after one with a higher number, within so many looks and numbers. */
const OVERLAP = 100

interface Row {
  topic: Topic
  number: number
}

interface Watcher {
  topics: ReadonlySet<Topic>
  onChange: () => void
}

export class Watch implements Scope {
  readonly #db: Database
  readonly #watchers = new Set<Watcher>()
  readonly #note: string
  /** The changes that were told, of the numbers that are looked at again. */
  #told = new Map<Topic, number>()
  /** The highest number of each of the last looks, the oldest first. */
  #highest: number[] = []
  #looking: NodeJS.Timeout | undefined
  #isReading = false
  #started: Promise<void> | undefined

  constructor(db: Database) {
    this.#db = db
    const next = NEXT_NUMBER[db.dialect]
    this.#note = `INSERT INTO topics (topic, number) VALUES ($1, ${next})
      ON CONFLICT (topic) DO UPDATE SET number = ${next} RETURNING number`
  }

  get dialect(): Dialect {
    return this.#db.dialect
  }

  all<Row>(sql: string, values?: readonly Value[]): Promise<Row[]> {
    return this.#db.all<Row>(sql, values)
  }

  /**
   * As `Database.write`. Own watchers hear of the changes at its end. Statements after it are refused: work
   * may have left one behind that nobody awaits.
   */
  async write<T>(work: (tx: Change) => Promise<T>): Promise<T> {
    let changed: Row[] = []
    const result = await this.#db.write(async (tx) => {
      changed = []
      let isOpen = true
      const open = () => {
        if (!isOpen) throw new Error('The transaction has ended.')
        return tx
      }
      try {
        return await work(changeIn(open, this.#note, changed))
      } finally {
        isOpen = false
      }
    })
    this.#tell(changed)
    return result
  }

  /** Whoever reads after it has resolved misses no change. @returns a function that stops watching */
  async add(topics: readonly Topic[], onChange: () => void): Promise<() => void> {
    const watcher: Watcher = { topics: new Set(topics), onChange }
    if (this.#watchers.size === 0) this.#started = this.#start()
    this.#watchers.add(watcher)
    await this.#started
    return () => {
      this.#watchers.delete(watcher)
      if (this.#watchers.size === 0) this.stop()
    }
  }

  async readVersion(): Promise<number> {
    const [{ version }] = (await this.#db.all<{ version: number }>(
      'SELECT coalesce(max(number), 0) AS version FROM topics',
    )) as [{ version: number }]
    return version
  }

  async readEpoch(): Promise<string> {
    const [row] = await this.#db.all<{ id: string }>('SELECT id FROM epoch')
    return row?.id ?? ''
  }

  renewEpoch(): Promise<void> {
    return this.#db.write(async (tx) => {
      await tx.run('DELETE FROM epoch')
      await tx.run('INSERT INTO epoch (id) VALUES ($1)', [randomUUID()])
    })
  }

  stop(): void {
    clearInterval(this.#looking)
    this.#looking = undefined
    this.#highest = []
  }

  /** What changed before is in what a watcher reads first. If it cannot be read, every topic has changed. */
  async #start(): Promise<void> {
    this.stop()
    // oxlint-disable-next-line no-restricted-globals -- it reads one row, and sends nothing to the service
    const looking = setInterval(() => void this.#lookAlone(), LOOK_EVERY_MS).unref()
    this.#looking = looking
    const version = await this.readVersion().catch(() => 0)
    const floor = Math.max(0, version - OVERLAP)
    this.#told = new Map()
    if (version > 0)
      await this.#read(floor).then(
        (rows) => this.#remember(rows),
        () => {},
      )
    if (this.#looking === looking) this.#highest = [floor]
  }

  /** The next look finds what this one could not read. */
  async #lookAlone(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    await this.#look().catch(() => {})
    this.#isReading = false
  }

  async #look(): Promise<void> {
    const [floor] = this.#highest
    if (floor === undefined) return
    const rows = await this.#read(floor)
    const newest = Math.max(0, ...rows.map(({ number }) => number))
    if (newest < (this.#highest.at(-1) ?? 0)) {
      await this.renewEpoch()
      return this.#beginAnew(rows, newest)
    }
    this.#tell(rows.filter(({ topic, number }) => this.#told.get(topic) !== number))
    this.#highest.push(newest)
    if (this.#highest.length <= OVERLAP) return
    this.#highest.shift()
    for (const [topic, number] of this.#told) if (number <= (this.#highest[0] ?? 0)) this.#told.delete(topic)
  }

  /** An older copy of the database is in its place: anything may be different. */
  #beginAnew(rows: readonly Row[], newest: number): void {
    this.#told = new Map()
    this.#remember(rows)
    this.#highest = [newest]
    for (const { onChange } of this.#watchers) onChange()
  }

  #read(floor: number): Promise<Row[]> {
    return this.#db.all<Row>('SELECT topic, number FROM topics WHERE number >= $1', [floor])
  }

  #tell(rows: readonly Row[]): void {
    if (this.#watchers.size === 0) return
    this.#remember(rows)
    for (const { topics, onChange } of this.#watchers)
      if (rows.some(({ topic }) => topics.has(topic))) onChange()
  }

  #remember(rows: readonly Row[]): void {
    for (const { topic, number } of rows) this.#told.set(topic, number)
  }
}

/** @param changed gets each change */
const changeIn = (open: () => Writer, note: string, changed: Row[]): Change => ({
  all: async (sql, values) => open().all(sql, values),
  run: async (sql, values) => open().run(sql, values),
  lock: async (name) => open().lock(name),
  async changed(topic) {
    const [{ number }] = (await open().all<Row>(note, [topic])) as [Row]
    changed.push({ topic, number })
  },
})
