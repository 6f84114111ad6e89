/** Reads for many askers, a group at a time: shared values are read once, and nothing else waits for long. */
import { type Context, inBackground, type Memory } from '../core/context.ts'
import { inSlices, nextIteration } from '../core/event-loop.ts'

const GROUP_SIZE = 256

export interface Recipient<Read> {
  /** The read begins, and includes everything stored until now. @returns whether it is still wanted */
  begin: () => boolean
  take: (read: Read) => void
  fail: (error: unknown) => void
}

export interface GroupReader<Asker, Read> {
  /** The returned function gives the nth asker's value, or throws the error that prevented its read. */
  readAll: (askers: readonly Asker[]) => Promise<(nth: number) => Read>
  /** Milliseconds. */
  now: () => number
  /** Gets the work that runs until all askers have been answered. */
  onWork: (work: Promise<void>) => unknown
}

interface Asked<Asker, Read> {
  asker: Asker
  recipient: Recipient<Read>
}

export class GroupedReads<Asker, Read> {
  readonly #group: GroupReader<Asker, Read>
  readonly #first: Asked<Asker, Read>[] = []
  readonly #others: Asked<Asker, Read>[] = []
  #isWorking = false

  constructor(group: GroupReader<Asker, Read>) {
    this.#group = group
  }

  readFirst(asker: Asker, recipient: Recipient<Read>): void {
    this.#first.push({ asker, recipient })
    this.#work()
  }

  /** Reads after everyone who asked before. */
  read(asker: Asker, recipient: Recipient<Read>): void {
    this.#others.push({ asker, recipient })
    this.#work()
  }

  #work(): void {
    if (this.#isWorking) return
    this.#isWorking = true
    this.#group.onWork(this.#readAll())
  }

  async #readAll(): Promise<void> {
    try {
      while (this.#first.length + this.#others.length > 0) await this.#readNext()
    } finally {
      this.#isWorking = false
    }
  }

  async #readNext(): Promise<void> {
    await nextIteration()
    const next = this.#first.splice(0, GROUP_SIZE)
    next.push(...this.#others.splice(0, GROUP_SIZE - next.length))
    const group = next.filter(({ recipient }) => recipient.begin())
    if (group.length > 0) await this.#readGroup(group)
  }

  async #readGroup(group: readonly Asked<Asker, Read>[]): Promise<void> {
    const readOf = await this.#group
      .readAll(group.map(({ asker }) => asker))
      .catch((error: unknown) => () => fail(error))
    await inSlices(group.entries(), this.#group.now, ([nth, { recipient }]) => {
      try {
        recipient.take(readOf(nth))
      } catch (error) {
        recipient.fail(error)
      }
    })
  }
}

function fail(error: unknown): never {
  throw error
}

/** @returns the reads of a process: tests run several processes in one */
export function readsByProcess<Asker, Read>(
  readAll: GroupReader<Asker, Read>['readAll'],
): (context: Pick<Context, 'memory' | 'now'>) => GroupedReads<Asker, Read> {
  const known = new WeakMap<Memory, GroupedReads<Asker, Read>>()
  return ({ memory, now }) => {
    const reads =
      known.get(memory) ?? new GroupedReads({ readAll, now, onWork: (work) => inBackground(memory, work) })
    known.set(memory, reads)
    return reads
  }
}
