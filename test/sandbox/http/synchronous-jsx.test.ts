import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test, vi } from 'vitest'
import { open } from '../_sandbox.ts'

test('a page is rendered without an AsyncLocalStorage, which would slow every promise of the process down', async () => {
  const runs = [
    vi.spyOn(AsyncLocalStorage.prototype, 'run'),
    vi.spyOn(AsyncLocalStorage.prototype, 'enterWith'),
  ]
  const { send, signIn } = open()
  expect(await (await send('/plan', { headers: await signIn() })).text()).toContain('<main>')
  expect(runs.map((run) => run.mock.calls.length)).toEqual([0, 0])
  expect(process.getBuiltinModule('node:async_hooks').AsyncLocalStorage).toBe(AsyncLocalStorage)
  vi.restoreAllMocks()
})
