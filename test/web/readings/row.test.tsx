import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { MonthSnapshot } from '../../../src/contract/quota.ts'
import { useUi } from '../../../src/web/lib/ui.ts'
import { ReadingRow } from '../../../src/web/readings/row.tsx'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { latinSentences } from '../_latin.ts'
import { draw, received, SESSION } from '../_month.tsx'
import { signedInNetwork } from '../_network.ts'
import { openPage } from '../_page.tsx'

afterEach(() => loadLanguage('en'))

const HOUR = 3_600_000
const reading = { organization: { low: 32, high: 34, reading_age_ms: 2 * HOUR } }

const card = () => screen.findByRole('region', { name: 'This month' })
const field = () => screen.findByRole('textbox', { name: 'Requests used so far, as your plan page says' })
const history = () => screen.findByRole('list', { name: 'Counts of this month' })
/** The words that stand beside the button. */
const age = () => screen.getByRole('button', { name: /^(Save|保存)$/ }).nextElementSibling as HTMLElement

type User = Awaited<ReturnType<typeof openPage>>['user']
async function save(user: User, value: string) {
  await user.clear(await field())
  await user.type(await field(), value)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(`Saved: ${value} used so far.`)
}

test('a person enters the number from the plan page, and the card counts from it for free (C17)', async () => {
  const { network, user } = await openPage('/')
  await field()
  const link = screen.getByRole('link', { name: 'Your plan page' })
  expect(link.getAttribute('href')).toMatch(/\/plan\?organization_id=1001$/)
  const sent = network.fixture.sent.length
  await save(user, '32')
  expect(await card()).toHaveTextContent(/6[78] of 100 requests left · as of just now/)
  expect(await field()).toHaveValue('')
  expect(network.fixture.sent).toHaveLength(sent)
})

test('nothing opens over or above the gauges, and the field stays where it was (C21)', async () => {
  const { user } = await openPage('/')
  const before = await field()
  await save(user, '32')
  expect(await field()).toBe(before)
  expect(screen.queryByRole('dialog')).toBeNull()
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

test('what was saved follows a change of the language (C22)', async () => {
  const { user } = await openPage('/')
  await save(user, '32')
  await user.selectOptions(screen.getByLabelText('Language'), 'ja')
  await screen.findByRole('heading', { name: '今月' })
  expect(age()).toHaveTextContent(/^保存しました：使用済み32件。取り消す$/)
})

test('an undo that fails is reported, and can be tried again (C22)', async () => {
  const { network, user } = await openPage('/')
  await save(user, '32')
  const { body } = await network.browser.request<{ readings: { id: string }[] }>('GET', '/bff/readings')
  network.cut.add(`DELETE /bff/readings/${body.readings[0]?.id}`)
  const undo = () => screen.getByRole('button', { name: 'Undo the count of 32' })
  await user.click(undo())
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  network.cut.clear()
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
  expect(useUi.getState().quota?.snapshot.month.organization?.low).toBe(32)
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
    'Entered 2 hours ago. More than half may be used since then: what does the page say now?',
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

test('the age grows while the page is open (C21)', () => {
  const quota = received(reading)
  draw(<ReadingRow session={SESSION} quota={{ ...quota, atMs: quota.atMs - HOUR }} />, quota)
  expect(age()).toHaveTextContent('Entered 3 hours ago.')
})

test('the row, what it says after saving, and its history are in Japanese too', async () => {
  await loadLanguage('ja')
  await signedInNetwork()
  const { user } = draws({ ...reading, reading_wanted: 'old' })
  expect(age()).toHaveTextContent('入力：2時間前。入力から5日以上たちました。今の件数を入力してください。')
  await user.type(screen.getByRole('textbox'), '32{Enter}')
  expect(await screen.findByText('保存しました：使用済み32件。')).toBeVisible()
  await user.click(screen.getByText('これまでの件数'))
  expect(await screen.findByRole('list', { name: '今月の件数' })).toBeVisible()
  expect(latinSentences()).toEqual([])
  await user.click(screen.getAllByRole('button', { name: '件数32を取り消す' })[0]!)
  expect(await screen.findByText('件数32を取り消しました。')).toBeVisible()
  expect(latinSentences()).toEqual([])
})
