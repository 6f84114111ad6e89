import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { type Finding, FINDINGS } from '../../../src/contract/evidence.ts'
import { confirmFinding, forgetFinding } from '../../../src/web/evidence/queries.ts'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { latinSentences } from '../_latin.ts'
import { joinNetwork, signedInNetwork, stubFetch } from '../_network.ts'
import { openPage } from '../_page.tsx'

afterEach(() => loadLanguage('en'))

const QUESTION = 'Does a limit check count as a request?'
const found: Finding = {
  name: 'rate_limit_counts',
  assumed: 'unknown',
  value: 'no',
  in_use: false,
  confirmable: true,
  observations: [
    { at: '2026-11-21T06:00:00Z', code: 'rose_without' },
    { at: '2026-11-20T06:00:00Z', code: 'rose_by_less' },
  ],
}

async function openWith(first: Finding) {
  const network = await signedInNetwork()
  const fetch = network.browser.fetch.bind(network.browser)
  let finding = first
  const sent: string[] = []
  network.browser.fetch = async (path, init) => {
    if (!path.startsWith('/bff/evidence')) return fetch(path, init)
    const method = init?.method ?? 'GET'
    if (method === 'GET') {
      const rows = FINDINGS.map((name) =>
        name === finding.name
          ? finding
          : { name, assumed: 'unknown', in_use: false, confirmable: false, observations: [] },
      )
      return Response.json({ findings: rows })
    }
    sent.push(`${method} ${path} ${typeof init?.body === 'string' ? init.body : ''}`)
    if (method === 'POST') finding = { ...finding, in_use: true, confirmable: false }
    else
      finding = { ...finding, observations: [], in_use: false, confirmable: false, value: undefined as never }
    return new Response(null, { status: 204 })
  }
  joinNetwork(network.fixture, network.browser)
  return { ...(await openPage('/learnt', network)), sent }
}

const row = async () => (await screen.findByRole('heading', { name: QUESTION })).closest('li') as HTMLElement

test('the page has each question, answered ones first, with the source and time; opening it is free', async () => {
  const { network } = await openWith(found)
  const first = await row()
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(FINDINGS.length)
  expect(screen.getAllByRole('heading', { level: 2 })[0]).toHaveTextContent(QUESTION)
  expect(first).toHaveTextContent('no · fits everything seen so far, but is not proven')
  expect(first).toHaveTextContent('Assumingunknown')
  expect(within(first).getAllByText(/./, { selector: 'time' })[0]).toHaveAttribute(
    'datetime',
    '2026-11-20T06:00:00Z',
  )
  expect(first).toHaveTextContent('the number rose exactly as if they do not count.')
  expect(network.spent()).toBe(0)
})

test('answered questions are in sight, and one sentence folds those that are open (8.3)', async () => {
  await openWith(found)
  const summary = await screen.findByText('7 open questions: we assume the worst case for each')
  const folded = summary.closest('details') as HTMLDetailsElement
  expect(folded.open).toBe(false)
  expect(within(folded).getAllByRole('heading', { level: 2 })).toHaveLength(FINDINGS.length - 1)
  expect((await row()).closest('details')).toBeNull()
  expect(folded).toHaveTextContent('Assumingunknown')
  expect(folded).not.toHaveTextContent('Known')
  expect(screen.queryByText('Nothing is known yet.')).toBeNull()
})

test('a person confirms a value that fits, and it is in use', async () => {
  const { user, sent } = await openWith(found)
  const button = within(await row()).getByRole('button', { name: 'Confirm' })
  expect(button).toHaveAccessibleDescription(QUESTION)
  await user.click(button)
  expect(await screen.findByText('Confirmed. It is in use.')).toBeVisible()
  expect(await row()).toHaveTextContent('no · in use')
  expect(await row()).not.toHaveTextContent('Assuming')
  expect(within(await row()).queryByRole('button', { name: 'Confirm' })).toBeNull()
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
  expect(sent).toEqual(['POST /bff/evidence/rate_limit_counts {"value":"no"}'])
})

test('a press forgets a finding, and a question without a finding offers no press', async () => {
  const { user, sent } = await openWith({ ...found, in_use: true })
  await user.click(within(await row()).getByRole('button', { name: 'Forget' }))
  expect(await screen.findByText('Forgotten. The assumption is in use again.')).toBeVisible()
  expect(await row()).toHaveTextContent('Assuming')
  expect(within(await row()).queryByRole('button')).toBeNull()
  expect(screen.getByText('Nothing is known yet.')).toBeVisible()
  expect(sent).toEqual(['DELETE /bff/evidence/rate_limit_counts '])
})

test('over the real server every question has a row, and most are open yet', async () => {
  await openPage('/learnt')
  expect(await screen.findByText(/^\d open questions: we assume the worst case for each$/)).toBeVisible()
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(FINDINGS.length)
})

test('every question, state and value is in Japanese too', async () => {
  await loadLanguage('ja')
  await openWith({ ...found, observations: [] })
  expect(await screen.findByRole('button', { name: '確定する' })).toBeVisible()
  expect(screen.getByText('いいえ')).toBeVisible()
  expect(screen.getAllByText('不明')).toHaveLength(FINDINGS.length)
  await waitFor(() => expect(document.title).toBe('回数の数え方 · Plimsoll'))
  expect(latinSentences()).toEqual([])
})

test('a confirmation sends the value that was shown, and forgetting sends the name of the finding', async () => {
  const sent: unknown[] = []
  stubFetch(async (path, { method, body }) => {
    sent.push([method, path, body])
    return new Response(null, { status: 204 })
  })
  await confirmFinding('rate_limit_counts', 'no')
  await forgetFinding('month_zones')
  expect(sent).toEqual([
    ['POST', '/bff/evidence/rate_limit_counts', '{"value":"no"}'],
    ['DELETE', '/bff/evidence/month_zones', null],
  ])
})
