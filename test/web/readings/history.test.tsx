import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ReadingHistory } from '../../../src/web/readings/history.tsx'
import { signedInNetwork } from '../_network.ts'
import { draw } from '../_month.tsx'

const READINGS = [
  { id: 'a', count: 32, read_at: '2026-11-21T06:00:00.000Z', by: 'you' },
  { id: 'b', count: 12, read_at: '2026-11-10T06:00:00.000Z', by: 'another' },
] as const
const show = (readings: readonly (typeof READINGS)[number][], onChanged = async () => {}) =>
  draw(<ReadingHistory readings={readings} onChanged={onChanged} />)

test('each reading is listed with its time and who entered it (C22)', () => {
  show(READINGS)
  const items = screen.getAllByRole('listitem')
  expect(items[0]).toHaveTextContent(/^32 read .*Nov 21, 2026.* by you/)
  expect(items[1]).toHaveTextContent(/^12 read .*Nov 10, 2026.* by another person or browser/)
  expect(items[0]?.querySelector('time')).toHaveAttribute('datetime', '2026-11-21T06:00:00.000Z')
})

test('without readings the list says so (C22)', () => {
  show([])
  expect(screen.getByText('No reading of this month yet.')).toBeVisible()
})

test('a removal that fails is reported, and the reading stays (C22)', async () => {
  const network = await signedInNetwork()
  network.cut.add('DELETE /bff/readings/a')
  const { user } = show(READINGS)
  await user.click(screen.getByRole('button', { name: 'Undo the reading of 32' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
})
