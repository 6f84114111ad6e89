/** Holds leases of the store while work runs, however long it takes, so that of all processes one at a time does it. */
import { type Context, inBackground } from './context.ts'

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
  /** Gives it back. Where the store cannot, it lapses. */
  release: () => Promise<void>
}

/**
 * Takes the lease of that name, and renews it until it is released or another one has taken it.
 * @returns `undefined` while another one holds it
 * @throws Problem `store_unavailable`
 */
export async function holdLease(context: Context, name: string): Promise<HeldLease | undefined> {
  const { store, now, wait } = context
  const fence = await store.acquireLease(name, now(), now() + LENGTH_MS)
  if (fence === undefined) return undefined
  const isHeld = () => store.renewLease(name, fence, now() + LENGTH_MS)
  let isReleased = false
  const renew = async () => {
    for (;;) {
      await wait(RENEW_EVERY_MS)
      // Where the store cannot be reached, the next time may come early enough.
      if (isReleased || !(await isHeld().catch(() => true))) return
    }
  }
  void renew()
  const release = () => {
    isReleased = true
    return store.releaseLease(name, fence).catch(() => {})
  }
  return { fence, isHeld, release }
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
