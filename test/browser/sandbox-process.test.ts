// The sandbox alone as a process: its address, its control plane and its pages, and the state that it keeps.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { wholeTest } from '../_whole.ts'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import { control } from '../kit/control.ts'
import { type Alone, ended, MEMORY, openAlone, openReady } from '../kit/sandbox-process.ts'

const REFRESHES = 2000

let folder: string
let store: { PLIMSOLL_STORE: string }
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  store = { PLIMSOLL_STORE: `sqlite:${folder}/data/plimsoll.db` }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const askedAs = (port: number, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/profile', headers: { Host: host } }, ({ statusCode }) =>
      resolve(statusCode),
    )
      .on('error', reject)
      .end()
  })
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

wholeTest(
  'another address is refused unless an explicit flag asks for it (check 68, RFC 6749 1.6)',
  async () => {
    const refused = await openAlone({ ...MEMORY, PLIMSOLL_HOST: '0.0.0.0' })
    await expect.poll(() => refused.child.exitCode).toBe(1)
    expect(refused.output()).toMatch(
      /^PLIMSOLL_HOST or --host is an address that others can reach.*--any-address/,
    )
    const opened = await openAlone({ ...MEMORY, PLIMSOLL_HOST: '0.0.0.0' }, ['--any-address'])
    expect((await fetch(`http://127.0.0.2:${opened.port}/`)).status).toBe(200)
    await expect(fetch(`http://127.0.0.2:${opened.port + 1}/`)).rejects.toThrow('fetch failed')
    expect((await opened.control('/')).status).toBe(200)
  },
)

test('the control plane accepts no credential of the service, and no host name but its own (check 69)', async () => {
  const alone = await openAlone(MEMORY)
  const { port, service } = alone
  const headers = { 'X-Service-Api-Key': (await keysOf(alone))[0]?.value ?? '' }
  expect((await service('/organizations', headers)).status).toBe(200)
  expect((await fetch(`http://127.0.0.1:${port + 1}/profile`, { headers })).status).toBe(403)
  expect((await service('/profile', headers)).status).toBe(404)
  expect(await askedAs(port + 1, `evil.example:${port + 1}`)).toBe(421)
  expect(await askedAs(port + 1, `localhost:${port + 1}`)).toBe(200)
})

test('it makes its folder; credentials, choices, clock and request log survive the process', async () => {
  const first = await openAlone(store)
  const keys = await keysOf(first)
  await first.service('/organizations')
  await first.control('/profile', 'PATCH', { deny: 'page' })
  await first.control('/clock', 'POST', { do: 'freeze' })
  await first.control('/clock', 'POST', { do: 'to_month_end' })
  const clock = await (await first.control('/clock')).json()
  await first.stop()
  const second = await openAlone(store, [], first.port)
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
  const app = await openApp(store)
  await control(app, '/profile', { deny: 'page' }, 'PATCH')
  const second = await openAlone(store)
  await expect.poll(() => second.child.exitCode).toBe(1)
  expect(second.output()).toMatch(new RegExp(`^Another sandbox is using .*PLIMSOLL_STORE\\.\\n$`))
  await app.killAndRestart()
  expect(await control(app, '/profile')).toMatchObject({ deny: 'page' })
})

test('the next process takes over the lock of a killed one, and refuses a damaged state file', async () => {
  const first = await openAlone(store)
  const killed = new Promise((resolve) => first.child.once('exit', resolve))
  first.child.kill('SIGKILL')
  await killed
  const second = await openAlone(store)
  expect((await second.control('/profile')).status).toBe(200)
  await second.stop()
  rmSync(join(folder, 'data/sandbox.db-wal'), { force: true })
  writeFileSync(join(folder, 'data/sandbox.db'), 'no database')
  const third = await openAlone(store)
  await expect.poll(() => third.child.exitCode).toBe(1)
  expect(third.output()).toMatch(
    /^\S+sandbox\.db cannot be used: file is not a database\. Move it away, or .*\n$/,
  )
  expect(readFileSync(join(folder, 'data/sandbox.db'), 'utf8')).toBe('no database')
})

wholeTest('a kill after thousands of refreshes loses no more than a second', async () => {
  const first = await openAlone(store)
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
  const second = await openAlone(store, [], first.port)
  const { requests } = await (await second.control('/snapshot')).json()
  expect(requests).toBeGreaterThanOrEqual(times.filter((ms) => ms < killedAt - 1000).length)
  expect(requests).toBeGreaterThan(REFRESHES / 2)
})

async function openPage(alone: Alone): Promise<Page> {
  const page = await (await openBrowser()).newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(`http://127.0.0.1:${alone.port + 1}/`)
  return page
}

wholeTest(
  'the page shows the time, adds a fault and saves a choice by the Enter key, all by plain forms',
  async () => {
    const alone = await openAlone(MEMORY)
    await alone.control('/clock', 'POST', { do: 'set', ms: Date.UTC(2027, 0, 2, 13, 14, 0) })
    const page = await openPage(alone)
    await page.getByRole('button', { name: 'Freeze' }).click()
    await page.getByText('frozen').waitFor()
    expect(await page.locator('.digits').textContent()).toMatch(/^13:14:\d\d$/)
    await page.getByLabel('kind', { exact: true }).selectOption('status')
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
  },
)

test('a script gets a token and reads an organization without HTML, on any free ports (2.1, 4.4)', async () => {
  const script = `
    const { url, control_url } = JSON.parse(process.argv[1])
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ person: 'ada', organization_id: 1001 })
    const tokens = await (await fetch(control_url + '/tokens', { method: 'POST', headers, body })).json()
    const Authorization = 'Bearer ' + tokens.access_token
    console.log((await (await fetch(url + '/organizations/1001', { headers: { Authorization } })).json()).name)`
  const line = await openReady(MEMORY)
  const { stdout: name } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    script,
    line,
  ])
  expect(name).toBe('Harbour Rope Works\n')
})
