// The real store behind a gate: each call waits for its turn.
import type { Store } from '../../../src/store/store.ts'
import type { Scheduler } from './scheduler.ts'

const IS_READ = /^(?:read|list|count)/
/** The first words of the name of a note, without the id. */
const KIND = /^[a-z ]+(?= )/
/** They wait for nothing. */
const UNGATED = ['watch', 'close', 'sweep']

export type Call = (...values: unknown[]) => Promise<unknown>

/**
 * A read takes one step. A write, and a transaction as a whole, takes two, since its result arrives later than
 * it takes effect.
 */
export function gatedStore(store: Store, scheduler: Scheduler, process: number): Store {
  const gate =
    (name: string, call: Call): Call =>
    async (...values) => {
      const label = [name, ...(KIND.exec(String(values[0])) ?? [])].join(' ')
      if (IS_READ.test(name)) return scheduler.step(process, label, 'same', () => call(...values))
      const ended = await scheduler.step(process, label, 'next', () =>
        call(...values).then(
          (result) => () => result,
          (error: unknown) => () => {
            throw error
          },
        ),
      )
      await scheduler.step(process, `${label} has ended`, 'either', async () => {})
      return ended()
    }
  const methods = Object.entries(store).map(([name, call]) => [
    name,
    UNGATED.includes(name) ? call : gate(name, call as Call),
  ])
  return Object.fromEntries(methods) as Store
}
