/** The resident size of a process after a garbage collection (proc(5)). */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'undici'
import type { AppProcess } from './process.ts'

/** Settings that let this machine collect the garbage of a process from outside. */
export const COLLECTABLE = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }
const EVERY_MS = 500

/** @returns the mean resident size after repeated garbage collections, in MB; 0 without /proc */
export async function residentMemory(app: AppProcess, forMs: number): Promise<number> {
  const inspector = await openInspector(app)
  const samples: number[] = []
  try {
    for (
      const startedAtMs = performance.now();
      performance.now() - startedAtMs < forMs;
      await wait(EVERY_MS)
    ) {
      await inspector.collect()
      samples.push(residentNow(app))
    }
  } finally {
    inspector.close()
  }
  return samples.reduce((sum, one) => sum + one, 0) / samples.length
}

function residentNow({ pid }: AppProcess): number {
  try {
    const [, kilobytes = 0] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return 0
  }
}

async function openInspector({
  output,
}: AppProcess): Promise<{ collect: () => Promise<void>; close: () => void }> {
  const [, address] = /Debugger listening on (ws:\S+)/.exec(output()) ?? []
  if (address === undefined) throw new Error('the process was not started with COLLECTABLE')
  const socket = new WebSocket(address)
  const next = (event: 'open' | 'message') =>
    new Promise<void>((resolve, reject) => {
      socket.addEventListener(event, () => resolve(), { once: true })
      socket.addEventListener('error', () => reject(new Error('the inspector does not answer')), {
        once: true,
      })
    })
  await next('open')
  return {
    async collect() {
      const answered = next('message')
      socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
      await answered
    },
    close: () => socket.close(),
  }
}
