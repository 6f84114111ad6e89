import type { Connection } from './connection.ts'
import { COUNTER_SCRIPTS, LEASE_SCRIPTS } from './scripts/leases.ts'
import type { Counters, Leases } from '../store.ts'

export const leases = (connection: Pick<Connection, 'run' | 'sawFence'>): Leases => {
  const { run } = connection
  return {
    async claim(name, nowMs, lapsesAtMs) {
      return (await run(LEASE_SCRIPTS.claim, name, nowMs, lapsesAtMs)) === 1
    },
    async acquireLease(name, nowMs, lapsesAtMs) {
      const fence = Number(await run(LEASE_SCRIPTS.acquireLease, name, nowMs, lapsesAtMs))
      connection.sawFence(fence)
      return fence === 0 ? undefined : fence
    },
    async renewLease(name, fence, lapsesAtMs) {
      return (await run(LEASE_SCRIPTS.renewLease, name, fence, lapsesAtMs)) === 1
    },
    async releaseLease(name, fence) {
      await run(LEASE_SCRIPTS.releaseLease, name, fence)
    },
  }
}

export const counters = ({ run }: Pick<Connection, 'run'>): Counters => ({
  async addToCounter(name, by, nowMs, lapsesAtMs) {
    const [count, lapses] = (await run(COUNTER_SCRIPTS.addToCounter, name, by, nowMs, lapsesAtMs)) as [
      number,
      string,
    ]
    return { count, lapsesAtMs: Number(lapses) }
  },
  async removeCounter(name) {
    await run(COUNTER_SCRIPTS.removeCounter, name)
  },
})
