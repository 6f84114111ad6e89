// The server is replaced by another build while its pages are open: their late files are gone.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aPartOf } from '../_extent.ts'
import { axeFinds } from '../kit/axe.ts'
import { endLater, openBrowser } from '../kit/cleanup.ts'
import { countRequests } from '../kit/control.ts'
import { isLive, openAccountMenu, openSignedIn, press } from '../kit/page.ts'

const ASSET = /\b([\w-]+)-([\w-]{8})\.(js|css)\b/g

/** @returns the folder of a copy of the build in which each file of the page has another name @param name of it */
function otherBuild(name?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-build-'))
  endLater(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  cpSync('package.json', join(folder, 'package.json'))
  const build = join(folder, 'dist')
  cpSync('dist', build, { recursive: true })
  const assets = readdirSync(join(build, 'web/assets'))
  const renamed = (text: string) =>
    text.replaceAll(ASSET, (name, stem, hash, type) =>
      assets.includes(name) ? `${stem}-${hash}2.${type}` : name,
    )
  const record = join(build, 'build.json')
  if (name) writeFileSync(record, JSON.stringify({ ...JSON.parse(readFileSync(record, 'utf8')), name }))
  for (const entry of readdirSync(join(build, 'web'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (/\.(?:br|gz)$/.test(path)) rmSync(path)
    if (!/\.(?:js|css|html|json)$/.test(path)) continue
    const text = renamed(readFileSync(path, 'utf8'))
    rmSync(path)
    writeFileSync(join(entry.parentPath, renamed(entry.name)), text)
  }
  return build
}

const { page, url, app } = await openSignedIn()
let loads = 0
page.on('domcontentloaded', () => {
  loads += 1
})
const stranger = await (await (await openBrowser()).newContext({ locale: 'en-GB' })).newPage()
const atSignIn = async (path: string): Promise<Page> => {
  await stranger.goto(url + path)
  await stranger.getByRole('button', { name: 'Sign in · 1–2 requests' }).waitFor()
  return stranger
}

test('a press after an upgrade loads the new version at once, opens what was pressed, and is free (8.3)', async () => {
  await atSignIn('/organizations/1001')
  const before = await countRequests(app)
  app.child().kill()
  await app.restart(otherBuild())
  await openAccountMenu(page)
  await page.getByRole('link', { name: 'Ledger' }).click()
  await page.getByRole('heading', { name: 'Ledger' }).waitFor()
  expect([loads, page.url()]).toEqual([1, `${url}/ledger`])
  expect(await countRequests(app)).toBe(before)
})

test('typed text stays, and a notice says that there is a new version and reloads (WCAG 3.3.7)', async () => {
  const id = stranger.locator('#organization-id')
  await id.fill('2002')
  // Higher than the page.
  await stranger.setViewportSize({ width: 1280, height: 1400 })
  const places = () =>
    Promise.all([id, stranger.getByRole('heading', { level: 1 })].map((one) => one.boundingBox()))
  const before = await places()
  await press(stranger, 'Sign in · 1–2 requests')
  await stranger.getByText('A new version is here').waitFor()
  expect(await stranger.getByText('Check your connection', { exact: false }).count()).toBe(0)
  expect(await id.inputValue()).toBe('2002')
  expect(await places()).toEqual(before)
  expect(await axeFinds(stranger)).toEqual([])
  const loaded = stranger.waitForEvent('domcontentloaded')
  await stranger.getByRole('button', { name: 'Reload' }).click()
  await loaded
  await press(stranger, 'Sign in · 1–2 requests')
  await stranger.waitForURL(/oauth2/)
})

/** A newer build, then an older one. */
const UPGRADES: [name: string, loads: number][] = [
  ['29991231T2359-00000000', 1],
  ['20200101T0000-00000001', 0],
]
test.each(aPartOf(UPGRADES, ([, loads]) => loads === 1))(
  'a page that only looks on loads build %s after a start of it %i times (8.3)',
  async (name, expected) => {
    await page.goto(url)
    await isLive(page)
    const before = await countRequests(app)
    loads = 0
    app.child().kill()
    await app.restart(otherBuild(name))
    await isLive(page)
    await expect.poll(() => loads).toBeGreaterThanOrEqual(expected)
    // It loads no second time.
    await page.waitForTimeout(1500)
    expect(loads).toBe(expected)
    expect(await countRequests(app)).toBe(before)
  },
)
