// `npm run doctor` as a process: its exit code.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endLater } from '../kit/cleanup.ts'
import { openService } from '../kit/service.ts'
import { freePort } from '../kit/app-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
endLater(() => rmSync(folder, { recursive: true, force: true }))

async function doctor(env: Record<string, string>) {
  const child = spawn(process.execPath, ['dist/server/serve.js', '--doctor'], {
    env: { PATH: process.env['PATH'], PLIMSOLL_STORE: `sqlite:${folder}/new/plimsoll.db`, ...env },
  })
  let report = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (report += chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, report }
}

async function settings(serviceUrl: string) {
  return {
    PLIMSOLL_SERVICE_URL: serviceUrl,
    PLIMSOLL_CLIENT_ID: 'an-app',
    PLIMSOLL_CLIENT_SECRET: 'canary-of-the-operator',
    // That of the checkout is in use by other tests.
    PLIMSOLL_STORE: `sqlite:${join(folder, 'plimsoll.db')}`,
    PLIMSOLL_PORT: String(await freePort()),
    PLIMSOLL_OPERATIONS_PORT: String(await freePort()),
  }
}

test('the exit code is 0 without a fault, else 1, and nothing is sent', async () => {
  const service = await openService(() => ({ status: 401, body: '{"error":"invalid_client"}' }))
  endLater(service.close)
  const env = await settings(service.url)
  const good = await doctor(env)
  expect([good.code, good.report]).toEqual([0, expect.stringContaining(' 0 faults')])
  const bad = await doctor({ ...env, PLIMSOLL_PUBLIC_URL: `http://localhost:${await freePort()}` })
  expect([bad.code, bad.report]).toEqual([1, expect.stringContaining(' 1 fault\n')])
  expect(service.asked).toEqual([])
  expect(good.report + bad.report).not.toContain('canary-of-the-operator')
})
