/** Holds a lease of the store while work runs, so that only one process at a time does it. */
import { type Context, inBackground, type Memory } from './context.ts'

/** Another process takes over from a holder that died after this long. */
const LENGTH_MS = 15_000
const RENEW_EVERY_MS = 3000

export interface Lease {
  /** Higher than the number of every earlier holder. */
  readonly fence: number
  /** Renews the lease. @returns whether this process still holds it */
  isHeld: () => Promise<boolean>
}

export interface HeldLease extends Lease {
  /**
   * Gives the lease back. If the store fails, the lease lapses.
   * @param write writes something, and gives the lease back in the same step
   */
  release: (write?: (lease: { name: string; fence: number }) => Promise<void>) => Promise<void>
}

/**
 * Takes the lease of that name, and renews it until it is released or another process has taken it.
 * @returns `undefined` while another holder has it
 * @throws Problem `store_unavailable`
 */
export async function holdLease(context: Context, name: string): Promise<HeldLease | undefined> {
  const { store, now, memory } = context
  const fence = await store.acquireLease(name, now(), now() + LENGTH_MS)
  if (fence === undefined) return undefined
  const isHeld = () => store.renewLease(name, fence, now() + LENGTH_MS)
  memory.heldLeases.add(isHeld)
  void renewHeld(context)
  const give = () => store.releaseLease(name, fence).catch(() => {})
  const release: HeldLease['release'] = (write) => {
    memory.heldLeases.delete(isHeld)
    return write === undefined ? give() : write({ name, fence }).catch(give)
  }
  return { fence, isHeld, release }
}

/** One loop for all leases: most are released before their first renewal, so a timer for each is waste. */
async function renewHeld({ memory, wait }: Context): Promise<void> {
  if (memory.isRenewing) return
  memory.isRenewing = true
  while (memory.heldLeases.size > 0) {
    await wait(RENEW_EVERY_MS)
    await Promise.all([...memory.heldLeases].map((isHeld) => renew(memory, isHeld)))
  }
  memory.isRenewing = false
}

/** If the store cannot be reached, the next renewal may still be in time. */
async function renew({ heldLeases }: Memory, isHeld: Lease['isHeld']): Promise<void> {
  if (!(await isHeld().catch(() => true))) heldLeases.delete(isHeld)
}

/** A lease that is held until several pieces of work have ended. */
export interface SharedLease extends Lease {
  /** Holds the lease until this work has ended, too. */
  holdFor: (work: Promise<unknown>) => void
}

/**
 * Runs `work` with the lease. It is given back when all work that it is held for has ended; a drain waits for
 * that.
 * @returns `undefined`, without running `work`, while another holder has the lease
 * @throws Problem `store_unavailable` if the lease cannot be taken, and the errors of `work`
 */
export async function withLease<T>(
  context: Context,
  name: string,
  work: (lease: SharedLease) => Promise<T>,
): Promise<T | undefined> {
  const held = await holdLease(context, name)
  if (held === undefined) return undefined
  const running = new Set<Promise<unknown>>()
  const holdFor = (one: Promise<unknown>) => void inBackground({ background: running }, one)
  const result = work({ ...held, holdFor })
  holdFor(result)
  const release = async () => {
    while (running.size > 0) await Promise.all(running)
    await held.release()
  }
  void inBackground(context.memory, release())
  return result
}
