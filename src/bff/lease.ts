/** Holds a lease of the store while work runs, however long it takes, so that of all processes one at a time does it. */
import { type Context, inBackground } from './context.ts'

/** A holder that died is replaced after this long. */
const LENGTH_MS = 15_000
const RENEW_EVERY_MS = 3000

export interface Lease {
  /** Higher than that of every holder before. */
  readonly fence: number
  /** Renews it. @returns whether it is still ours */
  isHeld: () => Promise<boolean>
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
  work: (lease: Lease) => Promise<T>,
): Promise<T | undefined> {
  const { store, now, memory } = context
  const fence = await store.acquireLease(name, now(), now() + LENGTH_MS)
  if (fence === undefined) return undefined
  const running = new Set<Promise<unknown>>()
  const lease: Lease = {
    fence,
    isHeld: () => store.renewLease(name, fence, now() + LENGTH_MS),
    holdFor: (held) => void inBackground({ background: running }, held),
  }
  const result = work(lease)
  lease.holdFor(result)
  void inBackground(
    memory,
    renewWhile(context, lease, running).then(() => store.releaseLease(name, fence)),
  ).catch(() => {})
  return result
}

/** Renews the lease until nothing runs, or another one has taken it. */
async function renewWhile(
  { wait }: Context,
  lease: Lease,
  running: ReadonlySet<Promise<unknown>>,
): Promise<void> {
  for (;;) {
    await Promise.race([Promise.all(running), wait(RENEW_EVERY_MS)])
    if (running.size === 0) return
    // Where the store cannot be reached, the next time may come early enough.
    if (!(await lease.isHeld().catch(() => true))) return
  }
}
