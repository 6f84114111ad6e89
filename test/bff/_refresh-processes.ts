/** Processes that share a store, and a service that revokes a grant whose refresh token comes twice. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import { startApp, type App, STANDARD } from '../kit/app.ts'
import { createTime, type Time } from '../kit/clock.ts'
import { throughAnother } from '../kit/processes.ts'
import { FAR_MS } from '../kit/stores.ts'
import { onCall } from '../kit/store-methods.ts'

export const PATH = `/organizations/${STANDARD}`
export const HOUR_MS = 3_600_000
const STRICT = { rotation: 'new_old_revoked', reuse: 'refused_family_revoked' } as const

export interface MortalStore extends Store {
  /** No call returns any more. */
  die: () => void
  isDead: () => boolean
  /** Ends the lease that the process took last. */
  loseLease: (nowMs: number) => Promise<void>
  /** The note of the newest refresh. */
  refreshNote: () => Promise<unknown>
}

function mortal(store: Store, { hold }: Time): MortalStore {
  let isDead = false
  let refresh = ''
  const never = new Promise(() => {})
  onCall(store, 'changeNote', (name) => {
    if (name.startsWith('refresh ')) refresh = name
  })
  const methods = Object.entries(store).map(([name, method]) => [
    name,
    async (...values: unknown[]) => {
      if (isDead) return never
      const result = await hold(async () => (method as (...all: unknown[]) => unknown)(...values))
      return isDead ? never : result
    },
  ])
  const lapse = (untilMs: number) => (note: unknown) => {
    const { format, value } = note as { format: number; value: { lease: object } }
    return { format, value: { ...value, lease: { ...value.lease, untilMs } } }
  }
  return Object.assign(Object.fromEntries(methods) as Store, {
    close: store.close,
    isDead: () => isDead,
    die: () => {
      isDead = true
    },
    loseLease: async (nowMs: number) => void (await store.changeNote(refresh, lapse(nowMs), FAR_MS)),
    refreshNote: async () => (await store.readNotes([refresh]))[0],
  })
}

/** Two processes, and a browser that has one session in both. Time passes in `during`. */
export async function twoProcesses() {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  const time = createTime()
  const opened =
    globalThis.openStoresOfFixture?.(2) ?? [1, 2].map(() => openSqlite(join(folder, 'plimsoll.db')))
  const stores = opened.map((store) => mortal(store, time))
  const [first, second] = stores as [MortalStore, MortalStore]
  const one = startApp({ store: first, time, choices: STRICT })
  const two = one.another(second)
  const browser = one.browser()
  await browser.signIn()
  const fixtures: [App, App] = [one, two]
  return {
    one,
    two,
    stores: [first, second] as const,
    browsers: [browser, throughAnother(browser, two)] as const,
    atTokenEndpoint: (instead: TokenEndpoint) => fixtures.forEach((each) => onToken(each, instead)),
    refreshes: () => fixtures.flatMap((each) => each.tokenRequests()).length - 1,
    pass: time.wait,
    during: time.during,
    isSignedIn: async () => (await browser.session()).body.signed_in,
    async close() {
      const living = fixtures.filter((_, at) => !stores[at]?.isDead())
      await time.during(() => Promise.all(living.map(({ bff }) => bff.drain())))
      await Promise.all(stores.map((store) => store.close()))
      rmSync(folder, { recursive: true })
    },
  }
}

type TokenEndpoint = (through: () => Promise<Response>, deadlineMs: number | undefined) => Promise<Response>

export const onToken = (fixture: App, instead: TokenEndpoint): void =>
  fixture.intercept((request, through, deadlineMs) =>
    request.url.endsWith('/oauth2/token') ? instead(() => through(request), deadlineMs) : through(request),
  )
