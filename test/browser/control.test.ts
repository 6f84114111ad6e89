// The sandbox alone, as a process: where it opens, its control plane beside it, and what it keeps.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { axeFinds } from '../_axe.ts'
import { launch } from '../_browser.ts'
import { freePort } from './_running-app.ts'

const ended: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end()
})

interface Alone {
  child: ChildProcess
  port: number
  output: () => string
  service: (path: string, headers?: Record<string, string>) => Promise<Response>
  control: (path: string, method?: string, body?: unknown) => Promise<Response>
  stop: () => Promise<unknown>
}

/** Waits until it prints who can sign in, or ends. */
async function openAlone(env: Record<string, string>, flags: string[] = [], wished?: number): Promise<Alone> {
  const port = wished ?? (await freePort())
  const child = spawn(process.execPath, ['dist/server/serve.js', '--sandbox', ...flags], {
    env: { PATH: process.env['PATH'], PLIMSOLL_SANDBOX_PORT: String(port), ...env },
  })
  const stop = () =>
    child.exitCode !== null || child.signalCode !== null
      ? Promise.resolve(null)
      : new Promise((resolve) => {
          child.once('exit', resolve)
          child.kill('SIGTERM')
        })
  ended.push(stop)
  let text = ''
  await new Promise((resolve) => {
    child.once('exit', resolve)
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (text.includes('Cleo')) resolve(null)
      })
  })
  return {
    child,
    port,
    output: () => text,
    service: (path, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers }),
    control: (path, method = 'GET', body) =>
      fetch(`http://127.0.0.1:${port + 1}${path}`, {
        method,
        headers: { 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    stop,
  }
}

const MEMORY = { PLIMSOLL_STORE: 'sqlite::memory:' }

/** The status that a server answers, asked by another name than its own. */
const askedAs = (port: number, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/profile', headers: { Host: host } }, ({ statusCode }) =>
      resolve(statusCode),
    )
      .on('error', reject)
      .end()
  })

test('alone it opens on this machine, prints the address, and no other address reaches it (check 68, RFC 6749 1.6)', async () => {
  const { port, output, service, control } = await openAlone(MEMORY)
  expect(output()).toContain(`sandbox at http://127.0.0.1:${port}:`)
  expect(output()).toContain(`control plane is at http://127.0.0.1:${port + 1}:`)
  expect((await service('/')).status).toBe(200)
  expect((await control('/choices')).status).toBe(200)
  // What is free for others is not taken for all addresses.
  for (const taken of [port, port + 1]) {
    const other = createServer()
    ended.push(() => other.close())
    await new Promise((resolve, reject) => {
      other.once('error', reject).listen(taken, '127.0.0.2', () => resolve(null))
    })
  }
})

test('another address is refused unless it is asked for in so many words (check 68, RFC 6749 1.6)', async () => {
  const refused = await openAlone({ ...MEMORY, PLIMSOLL_HOST: '0.0.0.0' })
  await expect.poll(() => refused.child.exitCode).toBe(1)
  expect(refused.output()).toMatch(/^PLIMSOLL_HOST is an address that others can reach.*--any-address/)
  const opened = await openAlone({ ...MEMORY, PLIMSOLL_HOST: '0.0.0.0' }, ['--any-address'])
  expect((await fetch(`http://127.0.0.2:${opened.port}/`)).status).toBe(200)
  await expect(fetch(`http://127.0.0.2:${opened.port + 1}/`)).rejects.toThrow('fetch failed')
  expect((await opened.control('/')).status).toBe(200)
})

test('the control plane takes no credential of the service, and no name but its own (check 69)', async () => {
  const { port, service, control } = await openAlone(MEMORY)
  const { api_keys } = await (await control('/snapshot')).json()
  const headers = { 'X-Service-Api-Key': api_keys[0].value }
  expect((await service('/organizations', headers)).status).toBe(200)
  expect((await fetch(`http://127.0.0.1:${port + 1}/profile`, { headers })).status).toBe(403)
  expect((await service('/profile', headers)).status).toBe(404)
  expect(await askedAs(port + 1, `evil.example:${port + 1}`)).toBe(421)
  expect(await askedAs(port + 1, `localhost:${port + 1}`)).toBe(200)
})

test('an injected fault breaks a real connection, and the next request is answered', async () => {
  const { service, control } = await openAlone(MEMORY)
  await control('/faults', 'POST', { operation: 'rate_limit', kind: 'reset' })
  await expect(service('/rate_limit')).rejects.toThrow('fetch failed')
  expect((await service('/rate_limit')).status).toBe(401)
  await control('/faults', 'POST', { operation: 'rate_limit', kind: 'delay', ms: 300 })
  const before = performance.now()
  await service('/rate_limit')
  expect(performance.now() - before).toBeGreaterThan(290)
})

test('truncate breaks a real connection in the middle of a body', async () => {
  const { port, control } = await openAlone(MEMORY)
  await control('/faults', 'POST', { operation: 'rate_limit', kind: 'truncate' })
  const { length, text, isWhole } = await new Promise<{ length: number; text: string; isWhole: boolean }>(
    (resolve, reject) => {
      request({ port, host: '127.0.0.1', path: '/rate_limit' }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        answer.on('error', () => {})
        const length = Number(answer.headers['content-length'])
        answer.on('close', () => resolve({ length, text, isWhole: answer.complete }))
      })
        .on('error', reject)
        .end()
    },
  )
  expect([isWhole, text.length]).toEqual([false, Math.floor(length / 2)])
  expect(text).toMatch(/^\{"error/)
  expect((await (await control('/ledger')).json()).at(-1)).toMatchObject({
    rule: 'fault_truncate',
    status: 401,
  })
})

test('choices, clock and request log outlive the process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  ended.push(() => rmSync(folder, { recursive: true, force: true }))
  const env = { PLIMSOLL_STORE: `sqlite:${folder}/plimsoll.db` }
  const first = await openAlone(env)
  await first.service('/organizations')
  await first.control('/profile', 'PATCH', { deny: 'page' })
  await first.control('/clock', 'POST', { do: 'freeze' })
  await first.control('/clock', 'POST', { do: 'to_month_end' })
  const clock = await (await first.control('/clock')).json()
  await first.stop()
  const second = await openAlone(env, [], first.port)
  expect(await (await second.control('/clock')).json()).toEqual(clock)
  expect(await (await second.control('/profile')).json()).toMatchObject({ deny: 'page' })
  expect(await (await second.control('/ledger')).json()).toMatchObject([{ rule: 'missing_credential' }])
})

/** The start page of the control plane, in a browser. */
async function openPage(alone: Alone): Promise<Page> {
  const browser = await launch()
  ended.push(() => browser.close())
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${alone.port + 1}/`)
  return page
}

const MOST_NARROW = 320

test('both pages are accessible and fit, with everything in use and open, in light and dark, from 320 px', {
  timeout: 180_000,
}, async () => {
  const alone = await openAlone(MEMORY)
  await alone.control('/presets', 'POST', { name: 'strictest' })
  await alone.control('/presets', 'POST', { name: 'hostile_network' })
  await alone.control('/limits', 'PUT', { 1001: { read_per_minute: 2 } })
  await alone.control('/faults', 'POST', { operation: 'any', kind: 'status', status: 418 })
  await alone.service('/organizations?access_token=secret&organization_id=1001').catch(() => {})
  const page = await openPage(alone)
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  const open = async (path: string, width: number) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(new URL(path, page.url()).href)
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true
    })
  }
  for (const path of ['/', '/choices', '/choices?q=refresh', '/?answer=verdict'])
    for (const width of [1280, 1000, 700, MOST_NARROW]) {
      await open(path, width)
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, width])
    }
  // A search has the same cards as the whole page, and takes axe a tenth of the time.
  for (const path of ['/', '/choices?q=refresh'])
    for (const width of [1280, MOST_NARROW]) {
      await open(path, width)
      expect([path, width, await axeFinds(page)]).toEqual([path, width, []])
    }
  await page.goto(new URL('/choices#presets', page.url()).href)
  await page.evaluate(() =>
    document.querySelectorAll('.group').forEach((group) => group.removeAttribute('open')),
  )
  expect(await axeFinds(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('the clock of the page runs from the time of the sandbox, without a script, and stands still while frozen', async () => {
  const alone = await openAlone(MEMORY)
  await alone.control('/clock', 'POST', { do: 'set', ms: Date.UTC(2027, 0, 2, 13, 14, 0) })
  const page = await openPage(alone)
  const shown = () =>
    page.evaluate(() => {
      const style = getComputedStyle(document.querySelector('.ticking') ?? document.body, '::before')
      return ['--hours', '--minutes', '--seconds'].map((name) => style.getPropertyValue(name))
    })
  const first = await shown()
  expect(first.slice(0, 2)).toEqual(['13', '14'])
  await expect.poll(shown).not.toEqual(first)
  await page.getByRole('button', { name: 'Freeze' }).click()
  await page.getByText('frozen').waitFor()
  expect(await shown()).toEqual(['', '', ''])
  expect(await page.locator('.digits').textContent()).toMatch(/^13:14:\d\d$/)
})

test('a fault has the fields of its kind, is removed by its button, and a choice is saved by one key', async () => {
  const alone = await openAlone(MEMORY)
  const page = await openPage(alone)
  const isShown = (label: string) => page.getByRole('spinbutton', { name: label }).isVisible()
  await page.getByRole('combobox', { name: 'Fault' }).selectOption('status')
  expect([await isShown('Status'), await isShown('Delay, ms')]).toEqual([true, false])
  await page.getByRole('combobox', { name: 'Fault' }).selectOption('delay')
  expect([await isShown('Status'), await isShown('Delay, ms')]).toEqual([false, true])
  await page.getByRole('spinbutton', { name: 'Delay, ms' }).fill('300')
  await page.keyboard.press('Enter')
  await page.getByText('300 ms').waitFor()
  await page.getByRole('button', { name: 'Remove delay of any' }).click()
  await page.getByText('No fault is set').waitFor()
  await page.getByRole('link', { name: 'Choices', exact: true }).click()
  await page.getByLabel('Search the choices').fill('U24')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'the same one again' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('#rotation:target [aria-pressed="true"]', { hasText: 'the same one again' }).waitFor()
  expect(await (await alone.control('/profile')).json()).toMatchObject({ rotation: 'same' })
  expect(new URL(page.url()).search).toBe('?q=U24')
})
