/** Opens the app: settings, store, the way to the service, and where no service is set, the sandbox. */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { type Bff, createBff } from '../bff/bff.ts'
import type { BffConfig } from '../bff/context.ts'
import type { StaticFiles } from '../bff/pages.ts'
import { createUpstream } from '../bff/upstream.ts'
import { CALLBACK_PATH } from '../contract/authorize.ts'
import { openSqlite } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'
import { appBanner } from './banner.ts'
import { log } from './log.ts'
import { type OpenSandbox, openSandbox } from './sandbox.ts'
import { readSettings, type Settings } from './settings.ts'

const now = () => Date.now()
const SWEEP_EVERY_MS = 3_600_000

export interface App extends Bff {
  settings: Settings
  /** Where to click, and who to sign in as. */
  banner: string
  close: () => Promise<void>
}

/** @throws Error that lists every error in the settings */
export const settingsOf = (environment: NodeJS.ProcessEnv): Settings =>
  readSettings(environment, (path) => readFileSync(path, 'utf8'))

/**
 * Opens everything but the app's own listener.
 * @throws Error in plain words for everything that the operator can mend
 */
export async function openApp(environment: NodeJS.ProcessEnv, files?: StaticFiles): Promise<App> {
  const settings = settingsOf(environment)
  const store = openStore(settings)
  try {
    const sandbox = settings.serviceUrl === undefined ? await openSandbox(settings) : undefined
    const upstream = createUpstream()
    const sweep = setInterval(() => void store.sweep(now()).catch(() => {}), SWEEP_EVERY_MS).unref()
    const config = configOf(settings, sandbox)
    const bff = createBff({ config, store, upstream: upstream.send, now, wait, log, ...(files && { files }) })
    return {
      ...bff,
      settings,
      banner: appBanner(settings, sandbox),
      async close() {
        clearInterval(sweep)
        await Promise.all([upstream.close(), sandbox?.close()])
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

function openStore({ store }: Settings): Store {
  if (store.kind === 'redis')
    throw new Error('PLIMSOLL_STORE: this version keeps its data in SQLite only; use sqlite:<file>.')
  try {
    return openSqlite(store.path)
  } catch (cause) {
    throw new Error(`${(cause as Error).message} Choose another one with PLIMSOLL_STORE.`, { cause })
  }
}

/** The sandbox's application takes the place of one that is not set. */
function configOf(settings: Settings, sandbox: OpenSandbox | undefined): BffConfig {
  const redirectUri = settings.publicUrl + CALLBACK_PATH
  const application = sandbox?.seed.applications.find(({ redirect_uri }) => redirect_uri === redirectUri)
  return {
    ...settings,
    serviceUrl: settings.serviceUrl ?? sandbox?.url ?? '',
    clientId: settings.clientId ?? application?.client_id ?? '',
    clientSecret: settings.clientSecret ?? application?.client_secret ?? '',
  }
}
