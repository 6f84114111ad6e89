import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { MonthSnapshot } from '../../../src/contract/quota.ts'
import { ReadingRow, ReadingHistory } from '../../../src/web/readings/row.tsx'
import { draw, received, SESSION } from '../_month.tsx'
import { type Network, signedInNetwork } from '../_network.ts'
import { openPage, quotaOfPage, showAgain } from '../_page.tsx'
import type { Reading } from '../../../src/contract/readings.ts'

const HOUR = 3_600_000
const reading = { organization: { low: 32, high: 34, reading_age_ms: 2 * HOUR } }

const card = () => screen.findByRole('region', { name: 'This month' })
const field = () => screen.findByRole('textbox', { name: 'Requests used so far, as your plan page says' })
const history = () => screen.findByRole('list', { name: 'Counts of this month' })
/** The words that stand beside the button. */
const age = () =>
  screen.getByRole('button', { name: 'Save' }).parentElement?.nextElementSibling as HTMLElement

type User = Awaited<ReturnType<typeof openPage>>['user']
async function save(user: User, value: string) {
  await user.clear(await field())
  await user.type(await field(), value)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(new RegExp(`^Saved: ${value} used so far`))
}

test('a person enters the number from the plan page, and the card counts from it in place, for free (C17, C21)', async () => {
  const { network, user } = await openPage('/')
  const before = await field()
  const link = screen.getByRole('link', { name: 'your plan page' })
  expect(link.getAttribute('href')).toMatch(/\/plan\?organization_id=1001$/)
  const sent = network.fixture.sent.length
  await save(user, '32')
  expect(await card()).toHaveTextContent(/6[78] of 100 requests left · as of just now/)
  expect(await field()).toBe(before)
  expect(before).toHaveValue('')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(network.fixture.sent).toHaveLength(sent)
})

test('what was saved is no longer said beside a new error, of the field or of the server (C19, C22)', async () => {
  const { network, user } = await openPage('/')
  await save(user, '32')
  await user.type(await field(), 'x{Enter}')
  expect(await field()).toBeInvalid()
  await waitFor(() => expect(screen.queryByText(/^Saved/)).toBeNull())
  network.fixture.advance(60_000)
  await save(user, '40')
  network.fixture.advance(60_000)
  network.cut.add('POST /bff/readings')
  await user.type(await field(), '41{Enter}')
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(screen.queryByText(/^Saved/)).toBeNull()
  expect(await field()).toHaveValue('41')
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: 'Try again · free' }))
  expect(await screen.findByText('Saved: 41 used so far.')).toBeVisible()
})

/** Saves 32, and lets more than a minute pass. */
async function saveAndWait(then = () => Promise.resolve()) {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { network } = await openPage('/')
  fireEvent.change(await field(), { target: { value: '32' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Saved: 32 used so far.')
  await then()
  // The page counts whole seconds.
  network.fixture.advance(62_000)
  await act(() => vi.advanceTimersByTimeAsync(62_000))
  return network
}

test('a minute later stands the age of what was saved, which others may have followed (C21)', async () => {
  await saveAndWait()
  expect(age()).toHaveTextContent(/^Entered 1 minute ago\.?/)
})

test('a later count of another person does not say again what was saved before (C21, C22)', async () => {
  const { browser } = await saveAndWait()
  await browser.request('POST', '/bff/readings', { json: { count: 40 } })
  act(showAgain)
  await waitFor(() => expect(quotaOfPage()?.snapshot.month.organization?.low).toBe(40))
  expect(age()).toHaveTextContent(/^Entered just now\.$/)
})

test('a minute after an undo stands again why a count would help (C21, C22)', async () => {
  await saveAndWait(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Undo the count of 32' }))
    await screen.findByText('The count of 32 is removed.')
  })
  expect(age()).toHaveTextContent(/^It makes the number exact, and is free\.$/)
})

test('what was saved can be undone at once, and the card says "at most" again (C22)', async () => {
  const { user } = await openPage('/')
  await save(user, '32')
  expect(age()).toHaveTextContent(/^Saved: 32 used so far\. ?Undo$/)
  await user.click(screen.getByRole('button', { name: 'Undo the count of 32' }))
  expect(await screen.findByText('The count of 32 is removed.')).toBeVisible()
  expect(age()).toHaveFocus()
  expect(within(age()).queryByRole('button')).toBeNull()
  await waitFor(async () => expect(await card()).toHaveTextContent('At most'))
})

test('a first count below what this app alone has sent is saved, and says so beside its undo (C19, C22)', async () => {
  const network = await signedInNetwork()
  for (let times = 0; times < 5; times++) {
    network.fixture.advance(2000)
    await network.browser.spend('/organizations/1001')
  }
  const { user } = await openPage('/', network)
  await save(user, '2')
  const below = 'That is less than this app alone has used. What does the page say now?'
  expect(await screen.findByText(`Saved: 2 used so far. ${below}`)).toHaveRole('status')
  await user.click(screen.getByRole('button', { name: 'Undo the count of 2' }))
  expect(await screen.findByText('The count of 2 is removed.')).toBeVisible()
})

test('an undo that fails is reported, and can be tried again, also of a count that is gone by then (C22)', async () => {
  const { network, user } = await openPage('/')
  await save(user, '32')
  const { body } = await network.browser.request<{ readings: { id: string }[] }>('GET', '/bff/readings')
  const path = `/bff/readings/${body.readings[0]?.id}`
  network.cut.add(`DELETE ${path}`)
  const undo = () => screen.getByRole('button', { name: 'Undo the count of 32' })
  await user.click(undo())
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  network.cut.clear()
  expect((await network.browser.request('DELETE', path)).status).toBe(204)
  await user.click(undo())
  expect(await screen.findByText('The count of 32 is removed.')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the history follows what is saved and undone (C22)', async () => {
  const { network, user } = await openPage('/')
  await field()
  await user.click(screen.getByText('Earlier counts'))
  expect(await screen.findByText('No count was entered this month.')).toBeVisible()
  await save(user, '32')
  network.fixture.advance(60_000)
  await save(user, '40')
  await waitFor(async () => expect((await history()).children).toHaveLength(2))
  expect(within(await history()).getByText('40')).toBeVisible()
  await user.click(within(await history()).getByRole('button', { name: 'Undo the count of 40' }))
  expect(await screen.findByText('The count of 40 is removed.')).toBeVisible()
  await waitFor(async () => expect((await history()).children).toHaveLength(1))
  expect(quotaOfPage()?.snapshot.month.organization?.low).toBe(32)
})

const draws = (month: Partial<MonthSnapshot>) => {
  const quota = received(month)
  return draw(<ReadingRow session={SESSION} quota={quota} />, quota)
}

test.each<[Partial<MonthSnapshot>, string]>([
  [{}, ''],
  [{ reading_wanted: 'none' }, 'It makes the number exact, and is free.'],
  [reading, 'Entered 2 hours ago.'],
  [
    { ...reading, reading_wanted: 'half' },
    'Entered 2 hours ago. Much may have been used since then. What does the page say now?',
  ],
  [
    { ...reading, reading_wanted: 'below_own' },
    'Entered 2 hours ago. That is less than this app alone has used. What does the page say now?',
  ],
  [{ reading_wanted: 'suspected' }, 'It shows whether the month is used up.'],
])(
  'beside the button stand the age of the count and why another would help: %o: %j (C21)',
  (month, words) => {
    draws(month)
    expect(age()).toHaveTextContent(words)
    expect(age().textContent).toHaveLength(words.length)
  },
)

const enter = async ({ browser }: Network, count: number, ageMs: number, { now }: { now: () => number }) => {
  const read_at = new Date(now() - ageMs).toISOString()
  await browser.request('POST', '/bff/readings', { json: { count, read_at } })
}

/** The history in a part of the page that a person opens. */
async function show(counts: readonly number[] = []) {
  const network = await signedInNetwork()
  for (const [at, count] of counts.entries()) await enter(network, count, at * 60_000, network.fixture)
  const removed: Reading[] = []
  const { user } = draw(<ReadingHistory session={SESSION} remove={(reading) => void removed.push(reading)} />)
  const open = () => user.click(screen.getByText('Earlier counts'))
  return { network, removed, user, open }
}
const asked = (network: Network) => network.count('GET', '/bff/readings')

test('the counts are asked for when their part is opened, and each time again (C22)', async () => {
  const { network, open } = await show([32])
  expect(asked(network)).toBe(0)
  await open()
  expect(await screen.findByText('32')).toBeVisible()
  expect(asked(network)).toBe(1)
  await open()
  await open()
  await waitFor(() => expect(asked(network)).toBe(2))
})

test('a count that is undone leaves the open list, also where no chart is drawn (C22)', async () => {
  const network = await signedInNetwork()
  await enter(network, 32, 0, network.fixture)
  const quota = received(reading)
  const { user } = draw(<ReadingRow session={SESSION} quota={quota} />, quota)
  await user.click(screen.getByText('Earlier counts'))
  await user.click(await screen.findByRole('button', { name: 'Undo the count of 32' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo the count of 32' })).toBeNull())
  expect(screen.getByText('The count of 32 is removed.')).toBeVisible()
})

test('each count is listed with its time, who entered it, and a way to undo it (C22)', async () => {
  const { network, removed, user, open } = await show([32, 12])
  await open()
  const list = await screen.findByRole('list', { name: 'Counts of this month' })
  const [first, second] = list.children
  expect(first).toHaveTextContent(/^32 seen Nov 2\d, 2026, .+ by youUndo$/)
  expect(second).toHaveTextContent(/^12 seen /)
  const at = new Date(network.fixture.now() - 60_000).toISOString()
  expect(second?.querySelector('time')).toHaveAttribute('datetime', at)
  await user.click(screen.getByRole('button', { name: 'Undo the count of 12' }))
  expect(removed).toMatchObject([{ count: 12, by: 'you' }])
})

test('a count of another person is named so (C22)', async () => {
  const { network, open } = await show()
  const other = network.fixture.browser()
  await other.signIn()
  await other.request('POST', '/bff/readings', { json: { count: 40 } })
  await open()
  expect(await screen.findByText(/by another person or browser/)).toBeVisible()
})

test('counts that cannot be read are reported, and can be asked for again for free (C22)', async () => {
  const { network, user, open } = await show([32])
  network.cut.add('GET /bff/readings')
  await open()
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: 'Try again · free' }))
  expect(await screen.findByText('32')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})
