/** Opens the sandbox of the app's settings, which keeps its state. */
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { describe } from '../../bff/core/problem.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { seedFor } from '../../sandbox/state/seed.ts'
import { log, logForeignHost } from '../observe/log.ts'
import type { Settings } from '../settings/settings.ts'
import { isLoopback } from '../settings/values.ts'
import type { RunningSandbox, StartOptions } from './exports.d.ts'
import { openListeners } from './listeners.ts'
import { openStoredSandbox } from './state.ts'

/**
 * On a loopback address unless the options say otherwise, so that app and service are different sites, as in
 * production.
 * @throws Error in one sentence if its state file or one of its ports is taken
 */
export async function openSandbox(settings: Settings, options: StartOptions = {}): Promise<RunningSandbox> {
  const { apiKeyHeader, allowedHosts, sandboxPort, tokenEncoding, publicUrl } = settings
  if (!isLoopback(publicUrl))
    throw new Error(
      'PLIMSOLL_PUBLIC_URL is an address that others can reach, and the sandbox asks for no password: ' +
        'leave it out.',
    )
  const path = pathOf(settings, options)
  const choices: Record<string, string> = {
    // The app uses the encoding of the setting, so the sandbox must read it.
    enc: tokenEncoding === 'json' ? 'json_only' : 'form_only',
    ...options.choices,
  }
  const at = {
    port: options.port ?? sandboxPort,
    allowedHosts: [...allowedHosts, ...(options.allowedHosts ?? [])],
  }
  return openListeners(
    { ...options, ...at, choices },
    {
      apiKeyHeader,
      names: {
        port: options.port === undefined ? 'PLIMSOLL_SANDBOX_PORT' : '--port',
        host: 'PLIMSOLL_HOST or --host',
        hosts: 'PLIMSOLL_ALLOWED_HOSTS',
      },
      onError: (error) => log({ level: 'error', event: 'problem', cause: describe(error) }),
      onForeignHost: logForeignHost,
      make: (parts) => {
        const seedOf = (random: string) => seedFor({ ...settings, random })
        if (path !== undefined) return openStoredSandbox(path, { ...parts, seedFor: seedOf, random })
        return { sandbox: createSandbox({ ...parts, seed: seedOf(random()) }), close: () => {} }
      },
    },
  )
}

const random = () => randomBytes(32).toString('base64url')

/** Beside the database file, or in its default folder; `undefined` if nothing is to be stored. */
function pathOf({ store }: Settings, { seed, choices, freeze }: StartOptions): string | undefined {
  if (seed !== undefined || choices !== undefined || freeze !== undefined) return undefined
  if (store.kind === 'postgres') return join('data', 'sandbox.db')
  return store.path === ':memory:' ? undefined : join(dirname(store.path), 'sandbox.db')
}
