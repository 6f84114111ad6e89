/** How much memory a process uses, sampled (proc(5)). */
import { readFileSync } from 'node:fs'

/** @returns ends it; the samples in kB, without any where the machine has no /proc */
export function sampleMemory(pid: number, everyMs = 500): () => number[] {
  const samples: number[] = []
  const timer = setInterval(() => {
    try {
      const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
      if (kilobytes !== undefined) samples.push(Number(kilobytes))
    } catch {
      // It has ended, or there is no /proc.
    }
  }, everyMs)
  return () => {
    clearInterval(timer)
    return samples
  }
}

/** The means of the first and of the last tenth, in MB. */
export function tenths(samples: readonly number[]): [first: number, last: number] {
  const length = Math.max(1, Math.floor(samples.length / 10))
  const mean = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0) / some.length / 1024
  return [mean(samples.slice(0, length)), mean(samples.slice(-length))]
}
