import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Reading } from '../../../src/contract/readings.ts'
import { ReadingHistory } from '../../../src/web/readings/history.tsx'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { latinSentences } from '../_latin.ts'
import { draw, SESSION } from '../_month.tsx'
import { type Network, signedInNetwork } from '../_network.ts'

afterEach(() => loadLanguage('en'))

const enter = async ({ browser }: Network, count: number, ageMs: number, { now }: { now: () => number }) => {
  const read_at = new Date(now() - ageMs).toISOString()
  await browser.request('POST', '/bff/readings', { json: { count, read_at } })
}

/** The history in a part of the page that a person opens. */
async function show(counts: readonly number[] = []) {
  const network = await signedInNetwork()
  for (const [at, count] of counts.entries()) await enter(network, count, at * 60_000, network.fixture)
  const removed: Reading[] = []
  const { user } = draw(
    <details>
      <summary>Open</summary>
      <ReadingHistory session={SESSION} remove={async (reading) => void removed.push(reading)} />
    </details>,
  )
  const open = () => user.click(screen.getByText('Open'))
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

test('without counts the part says so (C22)', async () => {
  const { open } = await show()
  await open()
  expect(await screen.findByText('No count was entered this month.')).toBeVisible()
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

test('the history is in Japanese too', async () => {
  await loadLanguage('ja')
  const { open } = await show([32])
  await open()
  expect(await screen.findByRole('list', { name: '今月の件数' })).toHaveTextContent(
    /^32 .+に確認 自分が入力取り消す$/,
  )
  expect(screen.getByRole('button', { name: '件数32を取り消す' })).toBeVisible()
  expect(latinSentences()).toEqual([])
})
