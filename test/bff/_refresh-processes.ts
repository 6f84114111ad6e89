/** Processes that share a store, and a service that revokes a grant whose refresh token comes twice. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import { startApp, type App, STANDARD } from '../kit/app.ts'
import { createTime, type Time } from '../kit/clock.ts'

export const PATH = `/organizations/${STANDARD}`
export const HOUR_MS = 3_600_000
const STRICT = { rotation: 'new_old_revoked', reuse: 'refused_family_revoked' } as const

export interface MortalStore extends Store {
  /** No call returns any more. */
  die: () => void
  isDead: () => boolean
  /** Takes away the lease that the process took last. */
  loseLease: () => Promise<void>
  /** The names of the leases that the process took. */
  leases: () => ReadonlySet<string>
}

function mortal(store: Store, { hold }: Time): MortalStore {
  let isDead = false
  let loseLease = () => Promise.resolve()
  const leases = new Set<string>()
  const never = new Promise(() => {})
  const methods = Object.entries(store).map(([name, method]) => [
    name,
    async (...values: unknown[]) => {
      if (isDead) return never
      const result = await hold(async () => (method as (...all: unknown[]) => unknown)(...values))
      if (name === 'acquireLease' && typeof result === 'number') {
        leases.add(String(values[0]))
        loseLease = () => store.releaseLease(String(values[0]), result)
      }
      return isDead ? never : result
    },
  ])
  return Object.assign(Object.fromEntries(methods) as Store, {
    close: store.close,
    isDead: () => isDead,
    die: () => {
      isDead = true
    },
    loseLease: () => loseLease(),
    leases: () => leases,
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
  const other = two.browser()
  for (const [name, value] of browser.cookies) other.cookies.set(name, value)
  const fixtures: [App, App] = [one, two]
  return {
    one,
    two,
    stores: [first, second] as const,
    browsers: [browser, other] as const,
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
