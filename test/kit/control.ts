/**
 * The control plane of an embedded sandbox, one port above it: reads and changes the counts of the service.
 */
import type { AppProcess } from './app-process.ts'

type Sandbox = Pick<AppProcess, 'sandboxUrl'>

/** @returns the answer, parsed if it is JSON */
export async function control(
  { sandboxUrl }: Sandbox,
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<unknown> {
  const url = new URL(path, sandboxUrl)
  url.port = String(Number(url.port) + 1)
  const headers = { 'Content-Type': 'application/json' }
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) }
  const text = await (await fetch(url, { method, ...sent })).text()
  return /^[[{]/.test(text) ? JSON.parse(text) : text
}

interface Logged {
  path: string
  cost: { month: number }
}

/** All requests that the service got, whatever their cost. */
export const requestLog = async (sandbox: Sandbox): Promise<Logged[]> =>
  (await control(sandbox, '/ledger')) as Logged[]

export const countRequests = async (sandbox: Sandbox): Promise<number> => (await requestLog(sandbox)).length

interface Counted {
  months: Record<string, { count: number }>
  windows: Record<string, { read?: { used: number } }>
}

async function changeCounts(sandbox: Sandbox, edit: (counted: Counted) => void): Promise<void> {
  const state = (await control(sandbox, '/snapshot')) as Counted
  edit(state)
  await control(sandbox, '/restore', state)
}

/** Sets the service's count of reads in the running minute. */
export const useMinute = (sandbox: Sandbox, used: number): Promise<void> =>
  changeCounts(sandbox, ({ windows }) => {
    for (const { read } of Object.values(windows)) if (read) read.used = used
  })

/** Sets the service's count of requests in the month. */
export const useMonth = (sandbox: Sandbox, count: number): Promise<void> =>
  changeCounts(sandbox, ({ months }) => {
    for (const month of Object.values(months)) month.count = count
  })
