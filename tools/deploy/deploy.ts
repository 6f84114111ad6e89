// Brings docs/deploy.md up by its own commands, uses it in a browser, and removes it. Each test continues
// from the one before.
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { SECRET } from '../../test/kit/app.ts'
import { openBrowser } from '../../test/kit/cleanup.ts'
import { isLive, isShown, signInAtService, signOut } from '../../test/kit/page.ts'
import { until } from '../../test/kit/until.ts'
import type { Service } from '../../test/kit/strict-service.ts'
import { ADDRESS, commandsLeft, outputOf, prepare, run, runSection } from './machine.ts'

const UNITS = ['plimsoll@sqlite', 'postgresql@15-main', 'plimsoll@1', 'plimsoll@2', 'nginx']
/** nginx leaves an instance alone for so long after a refusal. */
const REFUSED_MS = 2100

let service: Service
let page: Page

beforeAll(async () => {
  service = await prepare()
})
afterAll(() => service?.close())
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const unit of UNITS) console.error(`--- ${unit}\n${(await outputOf(unit)).slice(-1500)}`)
})

async function runSections(...sections: string[]): Promise<void> {
  for (const section of sections) await runSection(section)
}

async function signIn(): Promise<void> {
  const browser = await openBrowser()
  const context = await browser.newContext({ locale: 'en-GB', ignoreHTTPSErrors: true })
  page = await context.newPage()
  await page.goto(ADDRESS)
  await signInAtService(page, 'Ada')
}

async function isSignedIn(): Promise<boolean> {
  await page.reload()
  await isShown(page)
  return page.locator('#account-button').isVisible()
}

/** The status of a request of the page; 0 without an answer. @param spend requests that it may cost */
const ask = (path: string, spend = '0'): Promise<number> =>
  page.evaluate(
    ([url, cost]) =>
      fetch(url, { headers: { 'X-CSRF': '1', 'X-Plimsoll-Spend': cost } }).then(
        ({ status }) => status,
        () => 0,
      ),
    [path, spend] as const,
  )

async function areReady(): Promise<void> {
  for (const port of ['9471', '9472'])
    await run(`until curl -fsS http://127.0.0.1:${port}/readyz; do sleep 0.1; done`)
  await wait(REFUSED_MS)
}

test('one machine with SQLite: https answers, and a person signs in', async () => {
  await runSections('Build', 'Settings', 'One machine with SQLite')
  await signIn()
  expect(await isSignedIn()).toBe(true)
})

test('a backup of SQLite is restored, the person is signed in, and no start warned', async () => {
  await runSections('Backup of SQLite', 'Restore of SQLite')
  expect(await isSignedIn()).toBe(true)
  expect(await outputOf('plimsoll@sqlite')).not.toMatch(/warning/i)
})

test('two instances over PostgreSQL: a person signs in', async () => {
  await page.context().close()
  await run('systemctl disable --now plimsoll@sqlite.socket plimsoll@sqlite')
  await runSections('PostgreSQL', 'The instances', 'nginx')
  await signIn()
  expect(await isSignedIn()).toBe(true)
})

test('a connection over http is sent to https, without its query', async () => {
  const asked = await fetch('http://plimsoll.example.com/callback?code=secret', { redirect: 'manual' })
  expect([asked.status, asked.headers.get('location')]).toEqual([301, `${ADDRESS}/callback`])
})

test('an instance that is killed while it reads loses the answer, and nothing is sent twice', async () => {
  const before = service.reads()
  service.intercept(() => new Promise(() => {}))
  const asked = ask('/api/organizations', '1')
  await until(() => service.reads() > before)
  // nginx chooses the instance, and the other one could take the repeated request.
  await run('systemctl kill --signal KILL plimsoll@1')
  if ((await Promise.race([asked, wait(1500)])) === undefined) {
    await areReady()
    await run('systemctl kill --signal KILL plimsoll@2')
  }
  expect([await asked, service.reads() - before]).toEqual([502, 1])
  service.intercept(undefined)
  await areReady()
  expect(await isSignedIn()).toBe(true)
})

test('an instance that is stopped costs no request and no error', async () => {
  await run('systemctl stop plimsoll@1')
  const before = service.reads()
  const statuses = [await ask('/api/organizations', '1'), await ask('/bff/quota'), await ask('/bff/quota')]
  expect([...statuses, service.reads() - before]).toEqual([200, 200, 200, 1])
  await run('systemctl start plimsoll@1')
  await areReady()
})

test('a restart of one after the other refuses no request and sends none', async () => {
  await isLive(page)
  const before = service.reads()
  const statuses = new Set<number>()
  const over = new AbortController()
  const asking = (async () => {
    while (!over.signal.aborted) statuses.add(await ask('/bff/quota'))
  })()
  await runSection('Restart one after the other')
  over.abort()
  await asking
  expect([...statuses, service.reads() - before]).toEqual([200, 0])
  await isLive(page)
})

const LATER = ['Upgrade, and going back', 'Backup of PostgreSQL', 'Restore of PostgreSQL', 'Secrets']
test.each(LATER)('%s: the person is signed in', async (section) => {
  await runSection(section)
  await areReady()
  expect(await isSignedIn()).toBe(true)
})

test('no code and no secret is in a log of nginx or of an instance', async () => {
  const text = [await run('cat /var/log/nginx/*.log'), ...(await Promise.all(UNITS.map(outputOf)))].join('\n')
  expect(text).toContain('/callback')
  expect(['?code=', '&code=', 'state=', SECRET].filter((secret) => text.includes(secret))).toEqual([])
})

test('after a sign-out and the uninstall nothing is left, and every command was run', async () => {
  await signOut(page)
  await page.getByText('You are signed out').waitFor()
  await runSections('Caddy in place of nginx', 'Containers', 'Uninstall')
  const folders = '/etc /srv /usr/local /var/lib /var/backups'
  expect(await run(`find ${folders} -name '*plimsoll*' -o -name '*-backup'`)).toBe('')
  await expect(run('id plimsoll')).rejects.toThrow('no such user')
  expect(commandsLeft()).toEqual([])
})
