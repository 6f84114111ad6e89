import { cleanup, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Reading } from '../../../src/contract/readings.ts'
import { entryIn, ReadingForm } from '../../../src/web/readings/row.tsx'
import { draw, SESSION } from '../_month.tsx'
import { hold, type Network, signedInNetwork } from '../_network.ts'
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
    >
      <p>an age</p>
    </ReadingForm>
  )
  const { user } = draw(<Drawn />)
  return { network, saved, user, field: screen.getByRole('textbox') }
}
const posts = ({ calls }: Network) => calls.filter(({ method }) => method === 'POST').map(({ body }) => body)

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
  const answer = hold(network)
  await user.type(field, '32{Enter}{Enter}')
  const button = screen.getByRole('button', { name: 'Save' })
  await user.click(button)
  expect(button).toHaveAttribute('aria-busy', 'true')
  expect(button).toHaveAttribute('aria-disabled', 'true')
  answer()
  await waitFor(() => expect(saved).toMatchObject([{ count: 32, by: 'you' }]))
  expect(field).toHaveValue('')
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

test('the form asks about a lower number, and stores it as a new month if a person confirms it (C19)', async () => {
  const { network, saved, user, field } = await open()
  await network.browser.request('POST', '/bff/readings', { json: { count: 320 } })
  network.fixture.advance(60_000)
  await user.type(field, '32{Enter}')
  expect(await screen.findByRole('alert')).toHaveTextContent(/^32 is lower than an earlier count/)
  await user.click(screen.getByRole('button', { name: 'The month was reset' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(posts(network).at(-1)).toEqual({ count: 32, month_was_reset: true })
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a count is a whole number from 0 to 100000, in digits of any width (C17, C19)', () => {
  const valueOf = (count: string) => {
    const typed = new FormData()
    typed.set('count', count)
    const entry = entryIn(typed)
    return 'value' in entry ? entry.value.count : undefined
  }
  expect(['0', ' ３２ ', '100000'].map(valueOf)).toEqual([0, 32, 100_000])
  expect(['', '-1', '1.5', '100001'].map(valueOf)).toEqual([undefined, undefined, undefined, undefined])
})
