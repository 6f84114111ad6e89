import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { isNight } from '../../../src/web/watch/watched.tsx'
import { onServer } from '../../../src/web/lib/clock.ts'
import { startApp } from '../../kit/app.ts'
import { makeLink, signedInMaker } from '../../bff/watch/_links.ts'
import { joinNetwork } from '../_network.ts'
import { openPage, showAgain } from '../_page.tsx'

const DAY_MS = 86_400_000

/** A link, and a browser that has not opened it. */
async function newLink() {
  const fixture = startApp()
  const link = await makeLink(await signedInMaker(fixture), { name: 'Kitchen', days: 90 })
  return { fixture, link, network: joinNetwork(fixture, fixture.browser()) }
}

async function openLink(query = '') {
  const { fixture, link, network } = await newLink()
  const page = await openPage(`/watch/${link.id}${query}#${link.secret}`, network)
  return { ...page, fixture, link }
}

const shows = (words: string | RegExp) => waitFor(() => expect(screen.getByText(words)).toBeVisible())

test('the page of a link exchanges the secret once, and never asks who is signed in (L11)', async () => {
  const { network, link } = await openLink()
  await shows('At most 99')
  // Nobody here can enter a count.
  expect(screen.getByText('Other apps share these 100.')).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Kitchen' })).toBeVisible()
  expect(location.hash).toBe('')
  expect(network.count('POST', `/watch/session/${link.id}`)).toBe(1)
  expect(network.calls.filter(({ path }) => path.startsWith('/bff') || path.startsWith('/api'))).toEqual([])
  expect(network.spent()).toBe(0)
})

test('a page of a link that has loaded a newer version knows that, also without its secret (attack 80)', async () => {
  const { network, link } = await newLink()
  const state = { 'plimsoll.reloaded': Date.now() }
  await openPage(`/watch/${link.id}#${link.secret}`, network, state)
  await shows('At most 99')
  expect([location.hash, history.state]).toEqual(['', state])
})

test('a display that stays open shows the new month, and the end of its link, for free (L9, 8.3)', async () => {
  const { network, fixture, link } = await openLink('?wall')
  await shows(/^At most 99 of 100 requests left ·/)
  const isDark = isNight(new Date(onServer(Date.now())).getHours())
  expect(document.documentElement.dataset['wall']).toBe(isDark ? 'night' : 'day')
  fixture.advance(14 * DAY_MS)
  showAgain()
  await shows(/^At most 100 of 100 requests left ·/)
  expect(network.spent()).toBe(0)
  // The session that made the link has ended, and the link lives on.
  const maker = await signedInMaker(fixture)
  expect((await maker.request('DELETE', `/bff/watch-links/${link.id}`)).status).toBe(204)
  showAgain()
  expect(await screen.findByText('This link shows nothing')).toBeVisible()
  // Nor the controls of other pages.
  expect(document.documentElement.dataset['wall']).toMatch(/^(?:day|night)$/)
})

test('a wall that was loaded while the server failed asks again without a press (L9)', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { link, network } = await newLink()
  network.cut.add(`POST /watch/session/${link.id}`)
  await openPage(`/watch/${link.id}?wall#${link.secret}`, network)
  expect(await screen.findByRole('alert')).toBeVisible()
  network.cut.clear()
  await act(() => vi.advanceTimersByTimeAsync(31_000))
  await shows(/^At most 99 of 100 requests left ·/)
})

test('the title of a watch page tells when the month is low or used up, as at home (8.3)', async () => {
  const { fixture } = await openLink()
  await shows('At most 99')
  expect(document.title).toBe('Kitchen · Plimsoll')
  const maker = await signedInMaker(fixture)
  for (const [count, title] of [
    [95, '▲ 5 left · Kitchen'],
    [100, '■ none left · Kitchen'],
  ] as const) {
    await maker.request('POST', '/bff/readings', { json: { count } })
    showAgain()
    await expect.poll(() => document.title).toBe(title)
  }
})

test.each(['POST', 'GET'])(
  'a network that breaks before the answer to %s leaves the secret in the address',
  async (method) => {
    const { network, link } = await newLink()
    network.cut.add(`${method} /watch/session/${link.id}`)
    const { user } = await openPage(`/watch/${link.id}#${link.secret}`, network)
    expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
    expect(location.hash).toBe(`#${link.secret}`)
    network.cut.clear()
    await user.click(screen.getByRole('button', { name: /^Try again/ }))
    await shows('At most 99')
    expect(location.href).toBe(`http://localhost:3000/watch/${link.id}`)
  },
)

test.each([
  ['#', '.', ''],
  ['#', ')', ''],
  ['%23', '', ''],
  ['%23', '%22.', ''],
  ['#', '?wall', '?wall'],
  ['?wall#', ',', '?wall'],
  ['?wall%23', '', '?wall'],
])(
  'a link opens with %j before its secret and %j behind it, and its address ends in %j then',
  async (...parts) => {
    const [before, behind, query] = parts
    const { network, link } = await newLink()
    await openPage(`/watch/${link.id}${before}${link.secret}${behind}`, network)
    await shows(/^At most 99/)
    expect(location.href).toBe(`http://localhost:3000/watch/${link.id}${query}`)
    expect(document.documentElement.dataset['wall'] === undefined).toBe(query === '')
  },
)

test.each([
  ['the address of an open page', '', 'Its end, from # on, is missing.'],
  ['that address at the end of a sentence', '.', 'Its end, from # on, is missing.'],
  ['a link that was cut off', '#abc', 'Its end, from # on, is missing.'],
  ['a link that was withdrawn', `#${'A'.repeat(43)}`, 'It was withdrawn or has ended.'],
])('%s shows nothing, says why, and stays in the address bar', async (_what, end, reason) => {
  const { network, link } = await newLink()
  await openPage(`/watch/${link.id}${end}`, network)
  expect(await screen.findByText(reason, { exact: false })).toBeVisible()
  expect(location.pathname + location.hash).toBe(`/watch/${link.id}${end}`)
})

test('the whole link over the address of an open page loads it anew', async () => {
  const { network, link } = await newLink()
  const { reload } = await openPage(`/watch/${link.id}`, network)
  await screen.findByText('Its end, from # on, is missing.', { exact: false })
  reload.mockClear()
  dispatchEvent(new HashChangeEvent('hashchange'))
  expect(reload).toHaveBeenCalled()
})

test('a browser that refuses the cookie is told so, and keeps the secret for a reload (RFC 6265 7.1)', async () => {
  const { network, link } = await newLink()
  network.browser.cookies.set = () => network.browser.cookies
  await openPage(`/watch/${link.id}#${link.secret}`, network)
  expect(await screen.findByText(/^The browser refused its cookie/)).toBeVisible()
  expect(location.hash).toBe(`#${link.secret}`)
})

test('a name with markup is a name, in the list and on the page of the link (L21)', async () => {
  const name = '<img src=x onerror=alert(1)>'
  const fixture = startApp()
  const maker = await signedInMaker(fixture)
  const link = await makeLink(maker, { name })
  await openPage(`/watch/${link.id}#${link.secret}`, joinNetwork(fixture, fixture.browser()))
  expect(await screen.findByRole('heading', { level: 1, name })).toBeVisible()
  expect(document.querySelector('img')).toBeNull()
  expect(document.title).toContain(name)
})

test('who looks at a link copies it for others, until the page is loaded again', async () => {
  const { user, link } = await openLink()
  await shows('At most 99')
  await user.click(screen.getByText('Copy this link'))
  expect(screen.getByLabelText('Link to the page')).toHaveValue(`${location.href}#${link.secret}`)
})

test('the night is from 22:00 to 6:00', () => {
  expect([5, 6, 21, 22].map(isNight)).toEqual([true, false, false, true])
})
