/** The control plane of an embedded sandbox: one port above it. */
import type { RunningApp } from './_running-app.ts'

export async function control(
  { sandboxUrl }: Pick<RunningApp, 'sandboxUrl'>,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const url = new URL(path, sandboxUrl)
  url.port = String(Number(url.port) + 1)
  const headers = { 'Content-Type': 'application/json' }
  const sent = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
  const text = await (await fetch(url, sent)).text()
  return text === '' ? undefined : JSON.parse(text)
}

/** Changes how many reads the service has counted in the running minute. */
export async function useMinute(running: RunningApp, used: number): Promise<void> {
  const state = (await control(running, '/snapshot')) as {
    windows: Record<string, { read?: { used: number } }>
  }
  for (const { read } of Object.values(state.windows)) if (read) read.used = used
  await control(running, '/restore', state)
}
