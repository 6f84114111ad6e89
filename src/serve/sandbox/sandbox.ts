/** Opens the sandbox: its state, its listener and the listener of its control plane. */
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { type Seed, seedFor } from '../../sandbox/state/seed.ts'
import { logForeignHost } from '../observe/log.ts'
import type { Beginning } from '../settings/command-line.ts'
import type { Settings } from '../settings/settings.ts'
import { LOOPBACK } from './address.ts'
import { begin, openSandboxAt, type Parts } from './listeners.ts'
import { openStoredSandbox, type StoredSandbox } from './state.ts'

export interface OpenSandbox {
  /** {base_url}. */
  url: string
  /** Address of the control plane. */
  controlUrl: string
  apiKeyHeader: string
  /** The seed of the settings, or of the last `POST /seed`. */
  seed: Seed
  close: () => Promise<void>
}

/**
 * Opens the sandbox on a loopback address, so that app and service are different sites, as in production. Its
 * control plane is one port above, on loopback unless `--control-host` says otherwise.
 * @throws Error in one sentence if its state file or one of its ports is taken
 */
export async function openSandbox(
  settings: Settings,
  host = LOOPBACK,
  beginning: Beginning = {},
): Promise<OpenSandbox> {
  const { apiKeyHeader, allowedHosts, sandboxPort } = settings
  const at = {
    port: beginning.port ?? sandboxPort,
    host,
    allowedHosts,
    apiKeyHeader,
    onForeignHost: logForeignHost,
  }
  const path = pathOf(settings, beginning)
  let state: StoredSandbox | undefined
  try {
    const { sandbox, url, controlUrl, close } = await openSandboxAt({ ...beginning, ...at }, (parts) => {
      state = openState(settings, path, parts)
      begin(state.sandbox, beginning)
      return state.sandbox
    })
    return {
      url,
      controlUrl,
      apiKeyHeader,
      seed: sandbox.currentSeed(),
      close: () => close().then(state?.close),
    }
  } catch (error) {
    state?.close()
    throw error
  }
}

/** Beside the database file, or in its default folder; `undefined` if nothing is to be stored. */
function pathOf({ store }: Settings, { seedFile, choicesFile, frozenAtMs }: Beginning): string | undefined {
  if ((seedFile ?? choicesFile ?? frozenAtMs) !== undefined) return undefined
  if (store.kind === 'postgres') return join('data', 'sandbox.db')
  return store.path === ':memory:' ? undefined : join(dirname(store.path), 'sandbox.db')
}

function openState(settings: Settings, path: string | undefined, parts: Parts): StoredSandbox {
  const { publicUrl, clientId, clientSecret, tokenEncoding } = settings
  const options = {
    ...parts,
    random: () => randomBytes(32).toString('base64url'),
    seedFor: (random: string) => seedFor({ publicUrl, clientId, clientSecret, random }),
    // The app uses the encoding of the setting, so the sandbox must read it.
    choices: { enc: tokenEncoding === 'json' ? ('json_only' as const) : ('form_only' as const) },
    onDamage: (notice: string) => void process.stderr.write(notice),
  }
  if (path !== undefined) return openStoredSandbox(path, options)
  return { sandbox: createSandbox({ ...options, seed: options.seedFor(options.random()) }), close: () => {} }
}
