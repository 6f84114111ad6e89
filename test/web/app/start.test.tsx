import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BOOT_ID, type Drawn } from '../../../src/contract/boot.ts'
import { start } from '../../../src/web/app/start.tsx'
import { useUi } from '../../../src/web/lib/ui.ts'
import { storedChoices } from '../../../src/web/preferences/preferences.ts'
import { rememberOrganization } from '../../../src/web/session/last-organizations.ts'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { BUSINESS } from '../../kit/app.ts'
import { joinNetwork, signedInNetwork } from '../_network.ts'
import { showAgain } from '../_page.tsx'
import { drawn, drawnHome } from './_drawn.ts'

const errors = vi.fn<(...words: unknown[]) => void>()
let root: HTMLElement
let page: Root | undefined

beforeEach(async () => {
  history.replaceState(null, '', '/')
  vi.spyOn(console, 'error').mockImplementation(errors)
  errors.mockClear()
  document.cookie = 'plimsoll-http-3000-choices=; Max-Age=0'
  useUi.setState(useUi.getInitialState(), true)
})

afterEach(async () => {
  act(() => page?.unmount())
  document.body.replaceChildren()
  delete document.documentElement.dataset['ready']
  await loadLanguage('en')
})

/** As a browser shows a document before its script runs. */
function show({ root: html, boot }: Drawn): void {
  document.body.innerHTML = `<div id="root">${html}</div><script type="application/json" id="${BOOT_ID}"></script>`
  ;(document.getElementById(BOOT_ID) as HTMLElement).textContent = JSON.stringify(boot)
  root = document.getElementById('root') as HTMLElement
}

const isReady = () => waitFor(() => expect(document.documentElement).toHaveAttribute('data-ready'))

async function takeOver(): Promise<void> {
  await act(async () => {
    page = await start(root)
  })
  await isReady()
}

test('the page takes over what the server drew: its elements, what was typed, and asks nothing', async () => {
  const network = joinNetwork()
  show(drawn({}))
  const field = screen.getByLabelText<HTMLInputElement>(/Organization id/)
  field.value = '2002'
  await takeOver()
  expect(screen.getByLabelText(/Organization id/)).toBe(field)
  expect(field).toHaveValue('2002')
  expect(await screen.findByText('organization 2002')).toBeVisible()
  expect(network.calls).toEqual([])
  expect(errors).not.toHaveBeenCalled()
})

test('a choice that was made before the script is there holds, and a press is repeated once', async () => {
  joinNetwork()
  show(drawn({}))
  screen.getByLabelText<HTMLSelectElement>('Theme').value = 'dark'
  const button = screen.getByRole('button', { name: 'Sign in · 1–2 requests' })
  const presses = vi.spyOn(button, 'click')
  globalThis.plimsollPressed = button
  await takeOver()
  expect(document.documentElement.dataset['theme']).toBe('dark')
  expect(storedChoices()).toMatchObject({ theme: 'dark' })
  expect(await screen.findByText('Type the organization id.')).toBeVisible()
  expect(presses).toHaveBeenCalledTimes(1)
  await userEvent.setup().selectOptions(screen.getByLabelText('Theme'), 'Automatic')
  expect(storedChoices().theme).toBeUndefined()
})

test('the page of an organization asks neither for its session nor for its quota, and draws the same (8.3)', async () => {
  const network = await signedInNetwork()
  const { body: session } = await network.browser.session()
  const { body: quota } = await network.browser.request<never>('GET', '/bff/quota')
  show(drawnHome({ session, quota, nowMs: Date.now() }))
  const heading = screen.getByRole('heading', { name: 'This month' })
  await takeOver()
  expect(screen.getByRole('heading', { name: 'This month' })).toBe(heading)
  await waitFor(() => expect(network.count('GET', '/api/organizations/1001')).toBe(1))
  for (const path of ['/bff/session', '/bff/quota']) expect(network.count('GET', path)).toBe(0)
  expect(errors).not.toHaveBeenCalled()
  expect(network.spent()).toBe(0)
})

test('the clock and the zone of this browser follow once the page is taken over (D9)', async () => {
  const network = await signedInNetwork()
  network.isLive = true
  const { body: session } = await network.browser.session()
  // The server drew an hour ago, for a reader who was in Honolulu, and its clock was another one.
  show(drawnHome({ session, choices: { zone: 'Pacific/Honolulu' } }))
  const before = screen.getByText(/resets/, { selector: 'p' }).textContent
  await takeOver()
  await waitFor(() => expect(screen.getByText(/resets/, { selector: 'p' }).textContent).not.toBe(before))
  expect(storedChoices().zone).toBe('Asia/Tokyo')
  expect(errors).not.toHaveBeenCalled()
})

test('a page that is open while its reader flies to another zone tells that one’s time from then on (D9)', async () => {
  const network = await signedInNetwork()
  const { body: session } = await network.browser.session()
  const { body: quota } = await network.browser.request<never>('GET', '/bff/quota')
  show(drawnHome({ session, quota, nowMs: Date.now() }))
  await takeOver()
  const resets = () => screen.getByText(/your time/).textContent
  const before = resets()
  const { resolvedOptions } = Intl.DateTimeFormat.prototype
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockImplementation(function (
    this: Intl.DateTimeFormat,
  ) {
    return { ...resolvedOptions.call(this), timeZone: 'Pacific/Honolulu' }
  })
  expect(resets()).toBe(before)
  act(showAgain)
  expect(resets()).not.toBe(before)
  expect(storedChoices().zone).toBe('Pacific/Honolulu')
})

test('what only this browser knows is drawn anew, and the next document leaves its place free', async () => {
  joinNetwork()
  rememberOrganization({ id: '1001', name: 'Harbour Rope Works' })
  show(drawn({}))
  await takeOver()
  expect(await screen.findByText('Last used in this browser')).toBeVisible()
  expect(storedChoices().isOwn).toBe(true)
  expect(errors).not.toHaveBeenCalled()
})

test.each([
  ['/organizations/1001', 'Open Ropes (1001) · free'],
  ['/organizations/77', 'Ships (77) · 1–2 requests'],
])('at %s the names that this browser remembers come to what the server drew (5.3)', async (path, name) => {
  const network = await signedInNetwork()
  await network.browser.signIn(BUSINESS, 'Cleo')
  const { body: session } = await network.browser.session()
  const { body: quota } = await network.browser.request<never>('GET', '/bff/quota')
  rememberOrganization({ id: '77', name: 'Ships' })
  rememberOrganization({ id: '1001', name: 'Ropes' })
  history.replaceState(null, '', path)
  show(drawnHome({ path, session, quota, nowMs: Date.now() }))
  const main = screen.getByRole('main')
  expect(main).not.toHaveTextContent('Ropes')
  await takeOver()
  expect(await screen.findByRole('button', { name })).toBeVisible()
  expect(screen.getByRole('main')).toBe(main)
  expect(errors).not.toHaveBeenCalled()
})

test('the module loader finds a style sheet that is in the document, and loads nothing', async () => {
  joinNetwork()
  const { boot, ...rest } = drawn({})
  show({ ...rest, boot: { ...boot, sheets: ['/assets/a.css'] } })
  await takeOver()
  const link = document.querySelector('link[href="/assets/a.css"][rel="stylesheet"]')
  expect(link).toHaveAttribute('disabled')
  link?.remove()
})

test('a document for everybody asks who is signed in, except where nobody needs to be', async () => {
  const network = joinNetwork()
  show(drawn({ kind: 'frame', session: undefined }))
  await takeOver()
  expect(await screen.findByRole('button', { name: 'Sign in · 1–2 requests' })).toBeVisible()
  expect(network.calls.map(({ path }) => path)).toEqual(['/bff/session'])
})
