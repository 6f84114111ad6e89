// `--rotate-secret` of the built app, beside a process that serves people.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openApp } from '../kit/cleanup.ts'
import { openTokenService, signIn } from '../kit/service.ts'
import { file } from '../kit/temp-folder.ts'

const run = promisify(execFile)
/** @returns what the command prints */
const rotate = async (env: Record<string, string>) =>
  (await run(process.execPath, ['dist/server/serve.js', '--rotate-secret'], { env })).stdout

test('a rotation signs nobody out, and people sign in after it (ASVS 13.3.4, attack 34)', async () => {
  const { settings } = await openTokenService()
  const store = { PLIMSOLL_STORE: `sqlite:${file}` }
  const running = await openApp({ ...settings, ...store })
  const { call } = await signIn(running, '7')
  expect(await rotate({ ...settings, ...store })).toBe('The new secret is in use.\n')
  expect((await call('/api/organizations/7')).status).toBe(200)
  expect((await signIn(running, '7', 'a-second-state-0123456789')).reply.status).toBe(201)
  expect(running.output()).not.toMatch(/state_mismatch|store_failed/)
})

test('a store that no sign-in has used is not rotated or created, and the command says why', async () => {
  const refused = rotate({ PLIMSOLL_STORE: `sqlite:${file}` })
  await expect(refused).rejects.toThrow('This store has no secret yet: nobody has signed in.')
  expect(existsSync(file)).toBe(false)
})
