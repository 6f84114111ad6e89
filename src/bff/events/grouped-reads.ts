/** Reads for many askers together, since they share most of what they read. */
import { type Context, inBackground, type Memory } from '../core/context.ts'

const GROUP_SIZE = 256

/** The returned function gives the nth asker's value, or throws the error that prevented its read. */
type ReadAll<Asker, Read> = (askers: readonly Asker[]) => Promise<(nth: number) => Read>

interface Asked<Asker, Read> {
  asker: Asker
  take: (read: Read) => void
  fail: (error: unknown) => void
}

/** What is asked for while a group is read waits for the next group, which lets all other work go first. */
export function groupedReads<Asker, Read>(
  readAll: ReadAll<Asker, Read>,
  onWork: (work: Promise<void>) => unknown,
): (asker: Asker) => Promise<Read> {
  const waiting: Asked<Asker, Read>[] = []
  let isWorking = false
  const work = async () => {
    while (waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      const group = waiting.splice(0, GROUP_SIZE)
      const readOf = await readAll(group.map(({ asker }) => asker)).catch(
        (error: unknown) => () => fail(error),
      )
      for (const [nth, { take, fail }] of group.entries())
        try {
          take(readOf(nth))
        } catch (error) {
          fail(error)
        }
    }
    isWorking = false
  }
  return (asker) =>
    new Promise((take, fail) => {
      waiting.push({ asker, take, fail })
      if (isWorking) return
      isWorking = true
      onWork(work())
    })
}

function fail(error: unknown): never {
  throw error
}

/** @returns the reads of a process: tests run several processes in one */
export function readsByProcess<Asker, Read>(
  readAll: ReadAll<Asker, Read>,
): (context: Pick<Context, 'memory'>, asker: Asker) => Promise<Read> {
  const known = new WeakMap<Memory, (asker: Asker) => Promise<Read>>()
  return ({ memory }, asker) => {
    const read = known.get(memory) ?? groupedReads(readAll, (work) => inBackground(memory, work))
    known.set(memory, read)
    return read(asker)
  }
}
