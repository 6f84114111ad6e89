// The sandbox alone as a process: its address, its control plane and its pages, and the state that it keeps.
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { wholeTest } from '../_whole.ts'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import { control } from '../kit/control.ts'
import { hearComplaints } from '../kit/page.ts'
import { type Alone, ended, MEMORY, openAlone } from '../kit/sandbox-process.ts'
import { folder } from '../kit/temp-folder.ts'

const REFRESHES = 2000

const store = () => ({ PLIMSOLL_STORE: `sqlite:${folder}/data/plimsoll.db` })
const keysOf = async ({ control }: Alone): Promise<{ value: string }[]> =>
  (await (await control('/snapshot')).json()).api_keys

test('alone it listens on this machine, prints the address, and on no other (check 68, RFC 6749 1.6)', async () => {
  const { port, output, service, control } = await openAlone(MEMORY)
  expect(output()).toContain(`sandbox at http://127.0.0.1:${port}:`)
  expect(output()).toContain(`control plane is at http://127.0.0.1:${port + 1}:`)
  expect((await service('/')).status).toBe(200)
  expect((await control('/')).status).toBe(200)
  // The sandbox takes the ports on one address only.
  for (const taken of [port, port + 1]) {
    const other = createServer()
    ended.push(() => other.close())
    await new Promise((resolve, reject) => {
      other.once('error', reject).listen(taken, '127.0.0.2', () => resolve(null))
    })
  }
})

test('it makes its folder; credentials, choices, clock and request log survive the process', async () => {
  const first = await openAlone(store())
  const keys = await keysOf(first)
  await first.service('/organizations')
  await first.control('/profile', 'PATCH', { deny: 'page' })
  await first.control('/clock', 'POST', { do: 'freeze' })
  await first.control('/clock', 'POST', { do: 'to_month_end' })
  const clock = await (await first.control('/clock')).json()
  await first.stop()
  const second = await openAlone(store(), [], first.port)
  expect(await keysOf(second)).toEqual(keys)
  expect(await (await second.control('/clock')).json()).toEqual(clock)
  expect(await (await second.control('/profile')).json()).toMatchObject({ deny: 'page' })
  expect(await (await second.control('/ledger')).json()).toMatchObject([{ rule: 'missing_credential' }])
  expect(second.output()).not.toContain('ENOENT')
})

wholeTest('it prints a request that works as it is', async () => {
  const { output } = await openAlone({ ...MEMORY, PLIMSOLL_API_KEY_HEADER: 'X-Key' })
  const line = () => /^ +curl (-H .*)\n/m.exec(output())?.[1] ?? ''
  await expect.poll(line).not.toBe('')
  expect(output()).not.toContain('Sign in')
  // The same arguments as the shell makes of the printed line.
  const { stdout } = await promisify(execFile)('sh', ['-c', `printf '%s\\n' ${line()}`])
  const [option, header = '', url = ''] = stdout.trim().split('\n')
  const [name = '', value = ''] = header.split(': ')
  expect([option, name]).toEqual(['-H', 'X-Key'])
  const answer = await fetch(url, { headers: { [name]: value } })
  expect([answer.status, await answer.json()]).toMatchObject([200, { organization_id: expect.anything() }])
})

test('a second process on the same state file is refused in one line, and writes nothing', async () => {
  const app = await openApp(store())
  await control(app, '/profile', { deny: 'page' }, 'PATCH')
  const second = await openAlone(store())
  await expect.poll(() => second.child.exitCode).toBe(1)
  expect(second.output()).toMatch(new RegExp(`^Another sandbox is using .*PLIMSOLL_STORE\\.\\n$`))
  await app.killAndRestart()
  expect(await control(app, '/profile')).toMatchObject({ deny: 'page' })
})

wholeTest('a kill after thousands of refreshes loses no more than a second', async () => {
  const first = await openAlone(store())
  const { refresh_token } = await (
    await first.control('/tokens', 'POST', { person: 'ada', organization_id: 1001 })
  ).json()
  const [{ client_id, client_secret }] = (await (await first.control('/snapshot')).json()).applications
  const times: number[] = []
  let token = refresh_token
  while (times.length < REFRESHES) {
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id,
      client_secret,
    })
    const answer = await fetch(`http://127.0.0.1:${first.port}/oauth2/token`, { method: 'POST', body })
    token = (await answer.json()).refresh_token
    times.push(performance.now())
  }
  const killed = new Promise((resolve) => first.child.once('exit', resolve))
  first.child.kill('SIGKILL')
  const killedAt = performance.now()
  await killed
  const second = await openAlone(store(), [], first.port)
  const { requests } = await (await second.control('/snapshot')).json()
  expect(requests).toBeGreaterThanOrEqual(times.filter((ms) => ms < killedAt - 1000).length)
  expect(requests).toBeGreaterThan(REFRESHES / 2)
})

/** Violated policies and uncaught errors. */
const complaints: string[] = []

async function openPage(alone: Alone): Promise<Page> {
  const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 900 } })
  hearComplaints(context, complaints)
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${alone.port + 1}/`)
  return page
}

test('the page shows the time, adds a fault and saves a choice by the Enter key, all by plain forms', async () => {
  const alone = await openAlone(MEMORY)
  await alone.control('/clock', 'POST', { do: 'set', ms: Date.UTC(2027, 0, 2, 13, 14, 0) })
  const page = await openPage(alone)
  await page.getByRole('button', { name: 'Freeze' }).click()
  await page.getByText('frozen').waitFor()
  expect(await page.locator('.digits').textContent()).toMatch(/^13:14:\d\d$/)
  await page.getByRole('combobox', { name: 'kind', exact: true }).selectOption('status')
  await page.getByLabel('status', { exact: true }).fill('418')
  await page.getByRole('button', { name: 'Add fault' }).click()
  await page.getByText('1 × status').waitFor()
  expect(await (await alone.control('/faults')).json()).toEqual([
    { operation: 'authorize', kind: 'status', times: 1, status: 418 },
  ])
  await page.locator('summary', { hasText: 'Tokens' }).click()
  await page.getByLabel('rotation').selectOption('the same one again')
  await page.getByLabel('rotation').press('Tab')
  await page.locator('details[open]').getByRole('button', { name: 'Save choices' }).press('Enter')
  await page.getByText('rotation: same').waitFor()
  expect(await (await alone.control('/profile')).json()).toMatchObject({ rotation: 'same' })
  expect(complaints).toEqual([])
})
