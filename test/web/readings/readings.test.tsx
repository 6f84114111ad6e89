import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ReadingsPanel } from '../../../src/web/readings/readings.tsx'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { useUi } from '../../../src/web/lib/ui.ts'
import { latinSentences } from '../_latin.ts'
import { draw, SESSION } from '../_month.tsx'
import { type Network, signedInNetwork } from '../_network.ts'
import { openPage } from '../_page.tsx'

afterEach(() => loadLanguage('en'))

const monthCard = () => screen.findByRole('region', { name: 'This month' })
const count = () => screen.findByLabelText('Monthly access count')
const history = () => screen.findByRole('list', { name: 'Readings of this month' })

async function openPanel(network?: Network) {
  const page = await openPage('/', network)
  await page.user.click(await screen.findByRole('button', { name: 'Read the real count · free' }))
  return page
}

async function save(user: Awaited<ReturnType<typeof openPage>>['user'], value: string) {
  await user.clear(await count())
  await user.type(await count(), value)
  await user.click(screen.getByRole('button', { name: 'Save · free' }))
}

test('a person enters the number from the plan page, and the card counts from it for free (C17)', async () => {
  const { network, user } = await openPanel()
  const link = await screen.findByRole('link', { name: 'Open the plan page of the service' })
  expect(link).toHaveAttribute('target', '_blank')
  expect(link.getAttribute('rel')).toContain('noopener')
  expect(link.getAttribute('href')).toMatch(/\/plan\?organization_id=1001$/)
  const sent = network.fixture.sent.length
  await save(user, '32')
  expect(await screen.findByText('Saved: 32 this month.')).toBeVisible()
  expect(await monthCard()).toHaveTextContent(/6[78] left of 100/)
  expect(within(await history()).getByText('32')).toBeVisible()
  expect(await history()).toHaveTextContent('by you')
  expect(network.fixture.sent).toHaveLength(sent)
})

test('the panel is not a dialog, takes the focus, and returns it when it closes (C21)', async () => {
  const { user } = await openPanel()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByRole('heading', { name: 'The real count of the month' })).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.getByRole('button', { name: 'Read the real count · free' })).toHaveFocus()
  expect(screen.queryByLabelText('Monthly access count')).toBeNull()
})

test('a text that cannot be a count is reported at its field, and nothing is sent (C19)', async () => {
  const { network, user } = await openPanel()
  await save(user, '12.5')
  expect(await count()).toHaveAccessibleDescription(/whole number from 0 to 100000/)
  expect(await count()).toHaveFocus()
  expect(network.count('POST', '/bff/readings')).toBe(0)
})

test('a time that the server refuses is reported at its field, which opens (C19)', async () => {
  const { user } = await openPanel()
  await user.type(await count(), '32')
  const when = screen.getByLabelText('When it was read, in your own time')
  await user.type(when, '2027-05-01T10:00')
  await user.click(screen.getByRole('button', { name: 'Save · free' }))
  await waitFor(() => expect(when).toHaveAccessibleDescription('Type a time of this month that has passed.'))
  expect(when).toHaveFocus()
  expect(when.closest('details')).toHaveAttribute('open')
})

test('the page asks about a lower number, and stores it as a new month if a person confirms it (C19)', async () => {
  const { network, user } = await openPanel()
  await save(user, '32')
  await screen.findByText('Saved: 32 this month.')
  network.fixture.advance(60_000)
  await save(user, '4')
  const question = await screen.findByRole('group', {
    name: 'Was the month reset, or was an earlier number wrong?',
  })
  expect(question).toHaveTextContent('4 is lower than 32')
  await user.click(within(question).getByRole('button', { name: 'The month was reset' }))
  expect(await screen.findByText('Saved: 4 this month.')).toBeVisible()
  expect((await history()).querySelectorAll('li')).toHaveLength(2)
  expect(network.calls.findLast(({ method }) => method === 'POST')?.body).toEqual({
    count: 4,
    month_was_reset: true,
  })
})

test('instead a person can correct the earlier number, which removes it (C19, C22)', async () => {
  const { network, user } = await openPanel()
  await save(user, '320')
  await screen.findByText('Saved: 320 this month.')
  network.fixture.advance(60_000)
  await save(user, '32')
  await user.click(await screen.findByRole('button', { name: 'Correct the earlier one' }))
  expect(await screen.findByText('Saved: 32 this month.')).toBeVisible()
  expect((await history()).querySelectorAll('li')).toHaveLength(1)
  expect(await monthCard()).toHaveTextContent(/6[78] left of 100/)
})

test('another number removes the question (C19)', async () => {
  const { network, user } = await openPanel()
  await save(user, '32')
  await screen.findByText('Saved: 32 this month.')
  network.fixture.advance(60_000)
  await save(user, '4')
  await screen.findByRole('group', { name: /Was the month reset/ })
  await user.type(await count(), '0')
  expect(screen.queryByRole('group', { name: /Was the month reset/ })).toBeNull()
})

test('a reading is undone, and the card says "at most" again (C22)', async () => {
  const { user } = await openPanel()
  await save(user, '32')
  await screen.findByText('Saved: 32 this month.')
  await user.click(await screen.findByRole('button', { name: 'Undo the reading of 32' }))
  expect(await screen.findByText('The reading of 32 is removed.')).toBeVisible()
  expect(await screen.findByText('No reading of this month yet.')).toBeVisible()
  await waitFor(async () => expect(await monthCard()).toHaveTextContent('At most'))
})

test('a failed read or save of a reading is reported, and can be repeated for free (C22)', async () => {
  const network = await signedInNetwork()
  network.cut.add('GET /bff/readings')
  const { user } = await openPanel(network)
  network.cut.clear()
  await user.click(await screen.findByRole('button', { name: 'Try again · free' }))
  network.cut.add('POST /bff/readings')
  await save(user, '32')
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(await count()).toHaveValue('32')
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: 'Save · free' }))
  expect(await screen.findByText('Saved: 32 this month.')).toBeVisible()
  expect(useUi.getState().quota?.snapshot.month.organization?.low).toBe(32)
})

test('the panel, its errors, its question and its history are in Japanese too', async () => {
  await loadLanguage('ja')
  const network = await signedInNetwork()
  await network.browser.request('POST', '/bff/readings', { json: { count: 320 } })
  network.fixture.advance(60_000)
  const { user } = draw(<ReadingsPanel session={SESSION} close={() => {}} />)
  const field = await screen.findByLabelText('月間アクセス数')
  await user.type(field, 'x{Enter}')
  expect(field).toHaveAccessibleDescription(/0から100000までの整数/)
  expect(latinSentences()).toEqual([])
  await user.clear(field)
  await user.type(field, '32{Enter}')
  expect(await screen.findByText(/^32は前に読み取った320より小さい数です。/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: '前の数を訂正する' }))
  expect(await screen.findByText('保存しました。今月は32件です。')).toBeVisible()
  expect(await screen.findByRole('button', { name: '読み取り値32を取り消す' })).toBeVisible()
  expect(latinSentences()).toEqual([])
})
