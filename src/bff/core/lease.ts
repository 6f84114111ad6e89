/** Holds leases of the store while work runs, however long it takes, so that of all processes one at a time does it. */
import { type Context, inBackground, type Memory } from './context.ts'

/** A holder that died is replaced after this long. */
const LENGTH_MS = 15_000
const RENEW_EVERY_MS = 3000

export interface Lease {
  /** Higher than that of every holder before. */
  readonly fence: number
  /** Renews it. @returns whether it is still ours */
  isHeld: () => Promise<boolean>
}

export interface HeldLease extends Lease {
  /** Gives it back. Where the store cannot, it lapses. @param write gives it back with what it writes */
  release: (write?: (lease: { name: string; fence: number }) => Promise<void>) => Promise<void>
}

/**
 * Takes the lease of that name, and renews it until it is released or another one has taken it.
 * @returns `undefined` while another one holds it
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

/** Renews all that this process holds at the same times: most leases are released before one, and a timer for each would outlast them. */
async function renewHeld({ memory, wait }: Context): Promise<void> {
  if (memory.isRenewing) return
  memory.isRenewing = true
  while (memory.heldLeases.size > 0) {
    await wait(RENEW_EVERY_MS)
    await Promise.all([...memory.heldLeases].map((isHeld) => renew(memory, isHeld)))
  }
  memory.isRenewing = false
}

/** Where the store cannot be reached, the next time may come early enough. */
async function renew({ heldLeases }: Memory, isHeld: Lease['isHeld']): Promise<void> {
  if (!(await isHeld().catch(() => true))) heldLeases.delete(isHeld)
}

/** A lease that lasts as long as all that it is held for. */
export interface SharedLease extends Lease {
  /** Holds it until this has ended, too. */
  holdFor: (work: Promise<unknown>) => void
}

/**
 * Runs `work` with the lease of that name, and gives it back when all has ended that it is held for. A drain waits for that.
 * @returns what `work` returns; `undefined`, and `work` does not run, while another one holds it
 * @throws Problem `store_unavailable` when it cannot be taken, and what `work` throws
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
