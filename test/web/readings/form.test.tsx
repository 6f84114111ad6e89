import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Reading } from '../../../src/contract/readings.ts'
import { ReadingForm } from '../../../src/web/readings/form.tsx'
import { draw, SESSION } from '../_month.tsx'
import { gate, type Network, signedInNetwork } from '../_network.ts'
import type { Fault } from '../../../src/contract/fault.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { contradicted, entryIn, refusedFields } from '../../../src/web/readings/form.tsx'
import { useStoring } from '../../../src/web/readings/queries.ts'

const PLAN_PAGE = 'https://service.example/plan?organization_id=1001'

async function open({ isWanted = true, planPage = PLAN_PAGE } = {}) {
  const network = await signedInNetwork()
  const saved: Reading[] = []
  const session = { ...SESSION, plan_page: planPage }
  const Drawn = () => (
    <ReadingForm
      session={session}
      storing={useStoring(session, (reading) => void saved.push(reading))}
      isWanted={isWanted}
      age={<p>an age</p>}
      history={<p>a history</p>}
    />
  )
  const { user } = draw(<Drawn />)
  return { network, saved, user, field: screen.getByRole('textbox') }
}
const posts = ({ calls }: Network) => calls.filter(({ method }) => method === 'POST').map(({ body }) => body)
const question = () => screen.queryByRole('group', { name: /Was the month reset/ })
const when = () => screen.getByLabelText('When you saw it, in your own time')

test('the field stands in a sentence, whose link opens the plan page (C17)', async () => {
  const { field } = await open()
  expect(document.querySelector('form')).toHaveTextContent(/^Used so far, on your plan page/)
  expect(field).toHaveAccessibleName('Requests used so far, as your plan page says')
  const link = screen.getByRole('link', { name: 'your plan page' })
  expect(link).toHaveAttribute('href', PLAN_PAGE)
  expect(link).toHaveAttribute('target', '_blank')
  expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  cleanup()
  await open({ planPage: '' })
  expect(screen.queryByRole('link')).toBeNull()
})

test.each([
  [true, 'primary'],
  [false, null],
])('where a count is wanted (%s) the button is of the kind %s (C21)', async (isWanted, kind) => {
  await open({ isWanted })
  expect(screen.getByRole('button', { name: 'Save' }).getAttribute('data-kind')).toBe(kind)
})

test('fast presses store one reading, and the field is empty afterwards (C17)', async () => {
  const { network, saved, user, field } = await open()
  const slow = gate()
  network.gate = slow.closed
  await user.type(field, '32{Enter}{Enter}')
  const button = screen.getByRole('button', { name: 'Save' })
  await user.click(button)
  expect(button).toHaveAttribute('aria-busy', 'true')
  expect(button).toHaveAttribute('aria-disabled', 'true')
  slow.open()
  await waitFor(() => expect(saved).toMatchObject([{ count: 32, by: 'you' }]))
  expect(field).toHaveValue('')
  expect(posts(network)).toEqual([{ count: 32 }])
})

test('a count in full-width digits, as a Japanese keyboard types them, is the same count (C17)', async () => {
  const { network, saved, user, field } = await open()
  await user.type(field, '\u3000３２{Enter}')
  await waitFor(() => expect(saved).toMatchObject([{ count: 32 }]))
  expect(posts(network)).toEqual([{ count: 32 }])
})

test('a text that cannot be a count is reported at its field, which gets the focus, until it is one (C19)', async () => {
  const { network, saved, user, field } = await open()
  await user.type(field, '12.5')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(field).toHaveAccessibleDescription(
    'Type the number as your plan page shows it: a whole number from 0 to 100000.',
  )
  expect(field).toHaveAttribute('aria-invalid', 'true')
  expect(field).toHaveFocus()
  expect(posts(network)).toEqual([])
  await user.clear(field)
  await user.type(field, '7{Enter}')
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(field).toHaveAttribute('aria-invalid', 'false')
  expect(field).toHaveAccessibleDescription('')
})

test('the error of the count stands between its row and the age, and that of the time below the time', async () => {
  const { user, field } = await open()
  await user.type(field, 'x{Enter}')
  const follows = (later: Element, earlier: Element) =>
    expect(earlier.compareDocumentPosition(later)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  const error = screen.getByText(/^Type the number as/)
  follows(error, screen.getByRole('button', { name: 'Save' }))
  follows(screen.getByText('an age'), error)
})

test('the time of a count and the history are folded, and a count may be of an earlier time (C17)', async () => {
  const { network, saved, user, field } = await open()
  expect(when()).not.toBeVisible()
  expect(screen.getByText('a history')).not.toBeVisible()
  expect(screen.getByText('an age')).toBeVisible()
  await user.click(screen.getByText('Earlier counts'))
  await user.type(when(), '2026-11-21T15:00')
  await user.type(field, '12{Enter}')
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(posts(network)).toEqual([{ count: 12, read_at: '2026-11-21T06:00:00.000Z' }])
  expect(when()).toHaveValue('')
})

test('a time that the server refuses is reported at its field, which opens and gets the focus (C19)', async () => {
  const { user, field } = await open()
  await user.type(field, '32')
  await user.type(when(), '2027-05-01T10:00')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(when()).toHaveAccessibleDescription('Type a time of this month that has passed.'),
  )
  expect(when()).toHaveFocus()
  expect(when().closest('details')).toHaveAttribute('open')
  expect(field).toHaveValue('32')
})

test('a problem of the server is reported once, and the number stays in the field (C22)', async () => {
  const { network, saved, user, field } = await open()
  network.cut.add('POST /bff/readings')
  await user.type(field, '32{Enter}')
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(field).toHaveValue('32')
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(screen.queryByRole('alert')).toBeNull()
})

async function enterLower() {
  const opened = await open()
  await opened.network.browser.request('POST', '/bff/readings', { json: { count: 320 } })
  opened.network.fixture.advance(60_000)
  await opened.user.type(opened.field, '32{Enter}')
  await waitFor(() => expect(question()).not.toBeNull())
  return opened
}

test('the form asks about a lower number, and stores it as a new month if a person confirms it (C19)', async () => {
  const { network, saved, user } = await enterLower()
  expect(question()).toHaveTextContent(
    '32 is lower than 320, which was entered before. The count of a month only rises.',
  )
  await user.click(within(question()!).getByRole('button', { name: 'The month was reset' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(posts(network).at(-1)).toEqual({ count: 32, month_was_reset: true })
  expect(question()).toBeNull()
})

test('instead a person can correct the earlier number, which removes it (C19, C22)', async () => {
  const { network, saved, user, field } = await enterLower()
  await user.type(field, '{Backspace}')
  expect(question()).toBeNull()
  await user.type(field, '2{Enter}')
  await user.click(await screen.findByRole('button', { name: 'Correct the earlier one' }))
  await waitFor(() => expect(saved).toMatchObject([{ count: 32 }]))
  const { body } = await network.browser.request('GET', '/bff/readings')
  expect(body).toMatchObject({ readings: [{ count: 32 }] })
})

test('if the earlier numbers cannot be read, a lower number can only be a reset (C19)', async () => {
  const { network, user, field } = await open()
  await network.browser.request('POST', '/bff/readings', { json: { count: 32 } })
  network.cut.add('GET /bff/readings')
  await user.type(field, '4{Enter}')
  expect(
    await screen.findByText(
      '4 is lower than a number that was entered before. The count of a month only rises.',
    ),
  ).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Correct the earlier one' })).toBeNull()
  expect(screen.getByRole('button', { name: 'The month was reset' })).toBeVisible()
})

function entryOf(count: string, at = '') {
  const typed = new FormData()
  typed.set('count', count)
  typed.set('read_at', at)
  return entryIn(typed)
}

/** The fields that are wrong. */
function wrongIn(count: string, at?: string): string[] {
  const entry = entryOf(count, at)
  return 'errors' in entry ? Object.keys(entry.errors) : []
}

test.each([
  ['0', 0],
  [' 32 ', 32],
  ['３２', 32],
  ['100000', 100_000],
])('%j is the number %i (C17)', (count, value) => {
  expect(entryOf(count)).toEqual({ value: { request: { count: value } } })
})

test.each(['', '-1', '1.5', '1e3', 'text', '100001', '9999999', '٣'])(
  '%j is not a number of requests (C19)',
  (count) => {
    expect(wrongIn(count)).toEqual(['count'])
  },
)

test('a time is sent as that instant, whatever the zone of the reader (C17)', () => {
  expect(entryOf('3', '2026-11-21T15:00')).toEqual({
    value: { request: { count: 3, read_at: '2026-11-21T06:00:00.000Z' } },
  })
  expect(wrongIn('', 'never')).toEqual(['count', 'read_at'])
})

test('a value that the server refuses is reported at its field (C19)', () => {
  const refused = (fault?: Fault) => refusedFields(new Problem('invalid_request', { fault }))
  expect(Object.keys(refused('read_at_in_the_future') ?? {})).toEqual(['read_at'])
  expect(Object.keys(refused('count_not_in_range') ?? {})).toEqual(['count'])
  expect(refused('too_many_readings')).toBeUndefined()
  expect(refusedFields(new Problem('store_unavailable'))).toBeUndefined()
})

const read = (count: number, hour: number): Reading => ({
  id: `${count}`,
  count,
  read_at: `2026-11-21T0${hour}:00:00.000Z`,
  by: 'you',
})
const countsOf = (readings: Reading[]) => readings.map(({ count }) => count)

test('a lower number contradicts the higher ones read before it, up to the last reset (C19)', () => {
  expect(countsOf(contradicted([read(40, 4), read(30, 3), read(10, 2)], { count: 20 }))).toEqual([40, 30])
  expect(countsOf(contradicted([read(5, 4), read(90, 3)], { count: 3 }))).toEqual([5])
  expect(contradicted([], { count: 3 })).toEqual([])
  const early = { count: 20, read_at: '2026-11-21T03:00:00.000Z' }
  expect(countsOf(contradicted([read(40, 4), read(30, 3), read(10, 2)], early))).toEqual([30])
})
