// A host whose clock is wrong for a while: nothing that was stored before is lost (8.3).
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { IS_WHOLE } from '../_extent.ts'
import { findPostgres, startPostgres } from '../store/_postgres-server.ts'
import { file } from '../kit/temp-folder.ts'
import { openApp } from '../kit/cleanup.ts'
import { openTokenService, signIn } from '../kit/service.ts'
import type { AppProcess } from '../kit/app-process.ts'

const DAY_MS = 86_400_000
const POSTGRES = IS_WHOLE && findPostgres() !== undefined ? await startPostgres() : undefined
afterAll(() => POSTGRES?.remove())
const STORES = [
  ['SQLite', {}],
  ...(POSTGRES ? [['PostgreSQL', { PLIMSOLL_STORE: POSTGRES.url() }] as const] : []),
] as const

const sweeps = async ({ operationsUrl }: AppProcess) => {
  const metrics = await (await fetch(`${operationsUrl}/metrics`)).text()
  return Number(
    /^plimsoll_store_operation_duration_seconds_count\{operation="sweep".*\} (\d+)$/m.exec(metrics)?.[1],
  )
}

test.each(STORES)(
  'over %s, starts with a wrong clock take no session, row or count',
  async (_, store) => {
    const setClock = (aheadMs: number) => writeFileSync(file, String(aheadMs))
    setClock(0)
    const preload = { NODE_OPTIONS: `--import=${resolve('test/kit/clock-preload.mjs')}`, SCREENS_CLOCK: file }
    const running = await openApp({ ...(await openTokenService()), ...preload, ...store })
    const { call } = await signIn(running, '7')
    for (let reads = 0; reads < 3; reads += 1) {
      await wait(1001)
      expect((await call('/api/organizations/7', '1')).headers.get('X-Plimsoll-Spent')).toBe('1')
    }
    const seen = async () => {
      const { signed_in: isSignedIn } = await (await call('/bff/session')).json()
      const { month } = await (await call('/bff/quota')).json()
      const { entries } = await (await call('/bff/ledger')).json()
      return { isSignedIn, low: month?.low, high: month?.high, rows: entries?.length }
    }
    const before = await seen()
    expect(before).toEqual({ isSignedIn: true, low: 4, high: 5, rows: 5 })
    for (const days of [100, 400, -100]) {
      setClock(days * DAY_MS)
      await running.killAndRestart()
      await expect.poll(() => sweeps(running)).toBe(1)
      expect((await call('/bff/session')).headers.getSetCookie()).toEqual([])
    }
    setClock(0)
    await running.killAndRestart()
    expect(await seen()).toEqual(before)
  },
  120_000,
)
