import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { organizationQuery } from '../../../src/web/lib/query.ts'
import { Fields } from '../../../src/web/organization/fields.tsx'
import { useOrganizationName } from '../../../src/web/organization/summary.ts'
import { draw, SESSION } from '../_month.tsx'
import { stubFetch } from '../_network.ts'

const show = (value: unknown) =>
  render(<Fields answer={{ text: typeof value === 'string' ? value : JSON.stringify(value) }} />)
/** The row of a field, by its name. */
const row = (name: string) => screen.getByText(name).closest('li') as HTMLElement
const press = (words: string | RegExp) => userEvent.click(screen.getByText(words))

test('each field has the name and the value that the service wrote (4.4)', () => {
  show(
    '{"display_name":"Harbour","archived":false,"parent":null,"motto":"","id":9007199254740993123,"no":1.10}',
  )
  for (const [name, value] of [
    ['display_name', 'Harbour'],
    ['archived', 'false'],
    ['parent', 'null'],
    ['motto', ''],
    ['id', '9007199254740993123'],
    ['no', '1.10'],
  ] as const)
    expect(row(name)).toHaveTextContent(`${name} ${value}`.trim())
})

test('what has few members is open, and everything else opens by a press or by the keyboard', async () => {
  show({ small: { inner: { deepest: 1 } }, big: Array.from({ length: 11 }, (_, at) => `item ${at}`) })
  expect(within(row('small')).getByText('inner')).toBeVisible()
  expect(screen.queryByText('deepest')).toBeNull()
  await press('inner')
  expect(screen.getByText('deepest')).toBeVisible()
  expect(screen.queryByText('item 10')).toBeNull()
  await press('11 items')
  expect(screen.getByText('item 10')).toBeVisible()
  await press('11 items')
  expect(screen.queryByText('item 10')).toBeNull()
})

test('of a list of 20,000 the page draws a thousand rows, once it is open, and says how many more there are', async () => {
  show({ all: Array.from({ length: 20_000 }, (_, at) => at) })
  await press('20000 items')
  expect(row('all').querySelectorAll('li')).toHaveLength(1001)
  expect(screen.getByText('The raw JSON has 19000 more.')).toBeVisible()
})

test.each([
  [100_000, 0],
  [100_001, 1],
])(
  'of raw JSON of %d characters the page says that it is cut, and where all of it is: %d (4.4)',
  async (size, times) => {
    const text = JSON.stringify({ long: '' })
    show(text.replace('""', `"${'a'.repeat(size - text.length)}"`))
    await press('Raw JSON')
    expect(document.querySelector('pre')?.textContent).toHaveLength(100_000)
    expect(screen.queryAllByText('Only the first part is shown. “Copy” copies all of it.')).toHaveLength(
      times,
    )
  },
)

test('"Copied" is said only of the text that was copied (2.3)', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const { rerender } = show({ a: 1 })
  await press('Copy')
  expect(await screen.findByText('Copied')).toBeVisible()
  rerender(<Fields answer={{ text: '{"a":2}' }} />)
  expect(screen.queryByText('Copied')).toBeNull()
})

test('markup, addresses and scripts are text (attack 41)', () => {
  const { container } = show({ a: '<img src=x onerror=alert(1)>', b: 'https://example.org/', '<b>c</b>': 1 })
  expect(container.querySelector('img, a, b, script')).toBeNull()
  expect(row('a')).toHaveTextContent('<img src=x onerror=alert(1)>')
})

test('marks of direction are written as codes, so that they turn nothing around (UAX 9)', async () => {
  show({ a: '\u202Eb\u2069', '\u202Ec': 1 })
  expect(row('a')).toHaveTextContent('a \\u202eb\\u2069')
  expect(row('\\u202ec')).toBeVisible()
})

test.each([
  'null',
  'true',
  '12',
  '"words"',
  '[]',
  '{}',
  '[[[]]]',
  '[null,1,"a",{"b":[]}]',
  '{"__proto__":{"a":1},"constructor":2,"toString":3,"":4}',
  '['.repeat(5000) + ']'.repeat(5000),
])('%s is drawn (4.4)', (text) => {
  const { container } = show(text)
  expect(container.textContent).not.toMatch(/undefined|NaN|\[object/)
  expect(screen.getByRole('button', { name: 'Copy' })).toBeVisible()
})

test.each(['<html>oops</html>', '['.repeat(200_000) + ']'.repeat(200_000), '{"a": 1.10}'])(
  'the answer of %# is shown as far as it can be, and copied as it came (4.4)',
  async (text) => {
    const user = userEvent.setup()
    const { container } = show(text)
    expect(container).toHaveTextContent(text.startsWith('{') ? 'a 1.10' : text.slice(0, 10))
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    expect(await screen.findByText('Copied')).toHaveRole('status')
    expect(await navigator.clipboard.readText()).toBe(text)
  },
)

const Name = ({ session = SESSION }) => <p>{useOrganizationName(session)}</p>

test('without a copy the name is the number, and nothing is sent (4.4)', () => {
  const asked: string[] = []
  stubFetch((path) => {
    asked.push(path)
    return Promise.reject(new TypeError('fetch failed'))
  })
  const { client } = draw(<Name />)
  expect(screen.getByText('Organization 1001')).toBeVisible()
  expect(client.getQueryData(organizationQuery(SESSION).queryKey)).toBeUndefined()
  expect(asked).toEqual([])
})

test('with an API key the organization has no number (5.1)', () => {
  const { organization_id: _, ...session } = SESSION
  draw(<Name session={{ ...session, method: 'api_key' }} />)
  expect(screen.getByText('Organization of your key')).toBeVisible()
})
