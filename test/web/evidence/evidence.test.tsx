import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Finding, FINDINGS, type ObservationCode } from '../../../src/contract/evidence.ts'
import { joinNetwork, signedInNetwork } from '../_network.ts'
import { openPage } from '../_page.tsx'
import { findingState, observationWords, valueWords } from '../../../src/web/evidence/evidence.tsx'
import { words } from '../../../src/web/text/text.ts'

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
  return { ...(await openPage('/learnt', joinNetwork(network.fixture, network.browser))), sent }
}

const row = async () => (await screen.findByRole('heading', { name: QUESTION })).closest('li') as HTMLElement

test('the page has each question, answered ones first, with the source and time; opening it is free', async () => {
  const { network } = await openWith(found)
  const first = await row()
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(FINDINGS.length)
  expect(screen.getAllByRole('heading', { level: 2 })[0]).toHaveTextContent(QUESTION)
  expect(first).toHaveTextContent('no · fits everything seen so far, but is not proven')
  expect(first).toHaveTextContent('Assuming unknown')
  expect(within(first).getAllByText(/./, { selector: 'time' })[0]).toHaveAttribute(
    'datetime',
    '2026-11-20T06:00:00Z',
  )
  expect(first).toHaveTextContent('the number rose exactly as if they do not count.')
  expect(network.spent()).toBe(0)
})

test('answered questions are in sight, and one sentence folds those that are open (8.3)', async () => {
  await openWith(found)
  const summary = await screen.findByText('4 open questions: we assume the worst case for each')
  const folded = summary.closest('details') as HTMLDetailsElement
  expect(folded.open).toBe(false)
  expect(within(folded).getAllByRole('heading', { level: 2 })).toHaveLength(FINDINGS.length - 1)
  expect((await row()).closest('details')).toBeNull()
  expect(folded).toHaveTextContent('Assuming unknown')
  expect(folded).not.toHaveTextContent('Known')
  expect(screen.queryByText('Nothing is known yet.')).toBeNull()
})

test('a person confirms a value that fits, by "Try again" after a failure, and it is in use (RFC 9457)', async () => {
  const { user, network, sent } = await openWith(found)
  network.cut.add('POST /bff/evidence/rate_limit_counts')
  const button = within(await row()).getByRole('button', { name: 'Confirm' })
  expect(button).toHaveAccessibleDescription(QUESTION)
  await user.click(button)
  await screen.findByRole('alert')
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: /^Try again/ }))
  expect(await screen.findByText('Confirmed. It is in use.')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(await row()).toHaveTextContent('no · in use')
  expect(await row()).not.toHaveTextContent('Assuming')
  expect(within(await row()).queryByRole('button', { name: 'Confirm' })).toBeNull()
  await waitFor(() =>
    expect(screen.getAllByRole('region')[0]).toContainElement(document.activeElement as HTMLElement),
  )
  expect(sent).toEqual(['POST /bff/evidence/rate_limit_counts {"value":"no"}'])
})

test('what the operator has stated is in sight, with the evidence against it (8.3)', async () => {
  await openWith({ ...found, stated: 'yes', confirmable: false })
  expect(await row()).toHaveTextContent('Stated yes · by the operator of this Plimsoll, and in use')
  expect(await row()).toHaveTextContent('Known no · not in use, because the operator has stated a value')
  expect(await row()).not.toHaveTextContent('Assuming')
  expect(within(await row()).queryByRole('button', { name: 'Confirm' })).toBeNull()
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

const findingOf = (changes: Partial<Finding>): Finding => ({
  name: 'month_zones',
  assumed: '429',
  in_use: false,
  confirmable: false,
  observations: [],
  ...changes,
})

test.each([
  [{ value: '402', in_use: true }, 'in_use'],
  [{ value: '402', confirmable: true }, 'fits'],
  [{ value: '402' }, 'open'],
  [{ value: 'no', stated: 'yes' }, 'beside'],
] as const)('a finding with %j is %s', (changes, state) => {
  expect(findingState(findingOf(changes))).toBe(state)
})

test.each([
  ['402', '402'],
  ['unknown', 'unknown'],
  ['a, b, c, d, e', 'a, b, c, d, and e'],
  ['a, b, c, d, e, f', 'a, b, c, d, and 2 more'],
])('the value %s is shown as %s', (value, words) => {
  expect(valueWords(value)).toBe(words)
})

test('each observation is a sentence of its own, with its value or its times', () => {
  const at = '2026-11-21T06:00:00Z'
  const sentences = (Object.keys(words().learnt.observed) as ObservationCode[]).map((code) =>
    observationWords({ at, code, after: at, by: at }),
  )
  expect(sentences.filter((sentence) => !sentence.endsWith('.'))).toEqual([])
  expect(new Set(sentences).size).toBe(sentences.length)
  expect(observationWords({ at, code: 'month_reset', after: at, by: at })).toContain(
    'after Nov 21, 2026, 3:00 PM',
  )
})
