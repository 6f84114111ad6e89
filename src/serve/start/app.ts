/** Opens the app: settings, store, HTTP client of the service, and the sandbox if no service is set. */
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { MINUTE_MS } from '../../contract/duration.ts'
import { createBff } from '../../bff/bff.ts'
import { readNewestDate } from '../../bff/core/clock.ts'
import type { BffConfig } from '../../bff/core/context.ts'
import type { Measurement } from '../../bff/core/measurement.ts'
import { rotateSecret } from '../../bff/core/server-key.ts'
import { createUpstream } from '../../bff/service/upstream.ts'
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { openPostgres } from '../../store/postgres/postgres.ts'
import { openSqlite } from '../../store/sqlite/sqlite.ts'
import type { Store } from '../../store/store.ts'
import { appBanner } from './banner.ts'
import { log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { RunningSandbox } from '../sandbox/exports.d.ts'
import { openSandbox } from '../sandbox/sandbox.ts'
import { observeStore } from '../observe/observed-store.ts'
import { readSettings, type Settings } from '../settings/settings.ts'
import { type BuiltPage, createDocuments } from '../http/documents.ts'

const now = () => Date.now()
const SWEEP_EVERY_MS = 10 * MINUTE_MS
/** Organizations of the sandbox for which the sign-in page has a button. */
const MOST_OFFERED = 5
/** A stop waits this long for running work; the rest of the ten seconds is for closing. */
export const DRAIN_MS = 9000

/**
 * Opens all but the app's own listener.
 * @param page the development server has its own, and no metrics
 * @throws Error in plain words for all that the operator can fix
 */
export async function openApp(
  environment: NodeJS.ProcessEnv,
  { page, metrics }: { page?: BuiltPage; metrics?: Metrics } = {},
) {
  const settings = readSettings(environment)
  const { store, sandbox, close } = await openResources(settings, metrics)
  const upstream = createUpstream(settings)
  const config: BffConfig = { ...settings, ...serviceOf(settings, sandbox) }
  const built = page && { files: page.files, documents: createDocuments(page) }
  const measure = measureWith(metrics)
  const bff = createBff({ config, store, upstream: upstream.send, now, wait, log, measure, ...built })
  if (metrics) metrics.countStreams = bff.openStreams
  return {
    settings,
    /** Where to click, and who to sign in as. */
    banner: appBanner(settings, sandbox),
    fetch: bff.fetch,
    /** A small query to the store. Rejects if it does not answer. */
    probe: () => store.readVersion(),
    /** Waits for requests and background work. @param answered resolves when the listener has closed */
    async close(answered?: Promise<void>) {
      // The first one ends the streams, for which the listener waits; the second waits for the last requests.
      const drained = Promise.all([answered, bff.drain()]).then(() => bff.drain())
      await Promise.race([drained, wait(DRAIN_MS, undefined, { ref: false })])
      await upstream.close()
      // Close the sandbox last: it answers the drained requests.
      await close()
    },
  }
}

const measureWith =
  (metrics: Metrics | undefined) =>
  (measurement: Measurement): void => {
    metrics?.measure(measurement)
    if (measurement.what !== 'request') return
    const { method, route, status, tookMs: took_ms, requestId: request_id } = measurement
    log({ level: 'info', event: 'request', method, route, status, took_ms, request_id })
  }

/** Gives the store another secret, which running instances use at once. @returns a sentence */
export async function rotate(environment: NodeJS.ProcessEnv): Promise<string> {
  const settings = readSettings(environment)
  // To open a file that is missing creates it.
  if (settings.store.kind === 'postgres' || existsSync(settings.store.path)) {
    const store = await openStore(settings)
    try {
      if (await rotateSecret({ store, now })) return 'The new secret is in use.\n'
    } finally {
      await store.close()
    }
  }
  throw new Error('This store has no secret yet: nobody has signed in. Is PLIMSOLL_STORE that of the app?')
}

/** Opens the store, which it sweeps now and every ten minutes, and the sandbox if no service is set. */
async function openResources(settings: Settings, metrics: Metrics | undefined) {
  const notice = (cause: string) => log({ level: 'warn', event: 'store_notice', cause })
  const store = observeStore(await openStore(settings, notice), { log, now, metrics })
  try {
    const sandbox = settings.serviceUrl === undefined ? await openSandbox(settings) : undefined
    const serviceUrl = settings.serviceUrl ?? sandbox?.url ?? ''
    let isRenewed = false
    const sweep = async (): Promise<void> => {
      // It may be an older copy, which pages that are open must notice.
      if (!isRenewed) await store.renewEpoch()
      isRenewed = true
      await store.sweep(now(), await readNewestDate(store, serviceUrl))
    }
    // The store logs a failed sweep, and the next one follows.
    const sweepNow = () => void sweep().catch(() => {})
    sweepNow()
    const sweeping = setInterval(sweepNow, SWEEP_EVERY_MS).unref()
    return {
      store,
      sandbox,
      close: async () => {
        clearInterval(sweeping)
        try {
          await sandbox?.close()
        } finally {
          await store.close()
        }
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** @param onNotice is called with a sentence for the operator */
async function openStore({ store }: Settings, onNotice: (notice: string) => void = () => {}): Promise<Store> {
  try {
    return store.kind === 'postgres' ? await openPostgres(store.url, onNotice) : openSqlite(store.path)
  } catch (cause) {
    throw new Error(`${(cause as Error).message} Choose another one with PLIMSOLL_STORE.`, { cause })
  }
}

/** The service and its registered application, by default those of the sandbox. */
function serviceOf(settings: Settings, sandbox: RunningSandbox | undefined) {
  const redirectUri = settings.publicUrl + CALLBACK_PATH
  const application = sandbox?.seed.applications.find(({ redirect_uri }) => redirect_uri === redirectUri)
  return {
    serviceUrl: settings.serviceUrl ?? sandbox?.url ?? '',
    clientId: settings.clientId ?? application?.client_id ?? '',
    clientSecret: settings.clientSecret ?? application?.client_secret ?? '',
    ...(sandbox && {
      sandbox: {
        control_url: sandbox.controlUrl,
        organizations: sandbox.seed.organizations
          .slice(0, MOST_OFFERED)
          .map(({ id, name }) => ({ id: `${id}`, name })),
      },
    }),
  }
}
