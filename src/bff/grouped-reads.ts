/** Reads for many who ask at the same time: a group at a time, so that what its members have in common is read once, and nothing else waits for long. */

/** How many are read together. */
const GROUP = 64
/** After so long everything else that waits goes first. */
const MOST_MS = 10

export interface GroupReader<Asker, Read> {
  /** In the order of the askers. */
  readAll: (askers: readonly Asker[]) => Promise<PromiseSettledResult<Read>[]>
  /** Milliseconds. */
  now: () => number
  /** Gets the work that goes on until no one asks. */
  onWork: (work: Promise<void>) => unknown
}

interface Asked<Asker, Read> {
  asker: Asker
  onBegin: () => void
  resolve: (read: Read) => void
  reject: (reason: unknown) => void
}

export class GroupedReads<Asker, Read> {
  readonly #reader: GroupReader<Asker, Read>
  #asked: Asked<Asker, Read>[] = []
  #isWorking = false

  constructor(reader: GroupReader<Asker, Read>) {
    this.#reader = reader
  }

  /** @param onBegin is called when the reading begins, and what is read is as new as that */
  read(asker: Asker, onBegin: () => void): Promise<Read> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ asker, onBegin, resolve, reject })
      if (!this.#isWorking) this.#reader.onWork(this.#work())
    })
  }

  async #work(): Promise<void> {
    const { readAll, now } = this.#reader
    this.#isWorking = true
    while (this.#asked.length > 0) {
      await othersFirst()
      const asked = this.#asked
      this.#asked = []
      const startedAtMs = now()
      let nth = 0
      // Also a clock that was set back ends it.
      for (; nth < asked.length && Math.abs(now() - startedAtMs) < MOST_MS; nth += GROUP)
        await readGroup(asked.slice(nth, nth + GROUP), readAll)
      this.#asked = [...asked.slice(nth), ...this.#asked]
    }
    this.#isWorking = false
  }
}

const othersFirst = () => new Promise<void>((resolve) => setImmediate(resolve))

async function readGroup<Asker, Read>(
  group: readonly Asked<Asker, Read>[],
  readAll: GroupReader<Asker, Read>['readAll'],
): Promise<void> {
  for (const { onBegin } of group) onBegin()
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
