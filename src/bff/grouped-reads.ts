/** Reads for many that have something new at the same time: a group at a time, so that what its members have in common is read once, and nothing else waits for long. */

/** How many are read together. */
const GROUP = 32
/** After so long everything else that waits goes first. */
const MOST_MS = 5

export interface GroupReader<Asker, Read> {
  /** In the order of the askers. */
  readAll: (askers: readonly Asker[]) => Promise<PromiseSettledResult<Read>[]>
  /** Milliseconds. */
  now: () => number
  /** Gets the work that goes on until no one waits. */
  onWork: (work: Promise<void>) => unknown
}

interface Asked<Asker, Read> {
  asker: Asker
  resolve: (read: Read) => void
  reject: (reason: unknown) => void
}

export class GroupedReads<Asker, Read> {
  readonly #reader: GroupReader<Asker, Read>
  /** Thousands may come at once, so each is as little as can be. */
  #waiting: (() => void)[] = []
  readonly #asked: Asked<Asker, Read>[] = []
  #isWorking = false

  constructor(reader: GroupReader<Asker, Read>) {
    this.#reader = reader
  }

  /** @param go is called when it is among the next group, and may read then */
  wait(go: () => void): void {
    this.#waiting.push(go)
    this.#work()
  }

  /** Reads with the others of the group. */
  read(asker: Asker): Promise<Read> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ asker, resolve, reject })
      this.#work()
    })
  }

  #work(): void {
    if (this.#isWorking) return
    this.#isWorking = true
    this.#reader.onWork(this.#readAll())
  }

  async #readAll(): Promise<void> {
    const { readAll, now } = this.#reader
    while (this.#isWorking) {
      await othersFirst()
      const startedAtMs = now()
      // Also a clock that was set back ends it.
      while (this.#isWorking && Math.abs(now() - startedAtMs) < MOST_MS) {
        for (const go of this.#waiting.splice(0, GROUP)) go()
        await readGroup(this.#asked.splice(0, GROUP), readAll)
        this.#isWorking = this.#waiting.length + this.#asked.length > 0
      }
    }
  }
}

const othersFirst = () => new Promise<void>((resolve) => setImmediate(resolve))

async function readGroup<Asker, Read>(
  group: readonly Asked<Asker, Read>[],
  readAll: GroupReader<Asker, Read>['readAll'],
): Promise<void> {
  if (group.length === 0) return
  try {
    const read = await readAll(group.map(({ asker }) => asker))
    for (const [nth, { resolve, reject }] of group.entries()) {
      const one = read[nth]
      if (one?.status === 'fulfilled') resolve(one.value)
      else reject(one?.reason)
    }
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}
