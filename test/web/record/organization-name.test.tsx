import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useOrganizationName } from '../../../src/web/record/organization-name.ts'
import { summaryIn } from '../../../src/web/record/summary.ts'
import { organizationQuery } from '../../../src/web/lib/query.ts'
import { draw, SESSION } from '../_month.tsx'
import { stubFetch } from '../_network.ts'

test.each([
  ['{"name":"Harbour Rope Works"}', 'Harbour Rope Works'],
  ['{"name":" Harbour\\n Rope  Works "}', 'Harbour Rope Works'],
  ['{"name":""}', undefined],
  ['{"name":7}', undefined],
  ['{"other":"x"}', undefined],
  ['[{"name":"x"}]', 'x'],
  ['{"organization":{"name":"x"}}', 'x'],
  ['{"data":[{"name":"x"}],"meta":{"total":1}}', 'x'],
  ['[{"name":"x"},{"name":"y"}]', undefined],
  ['{"__proto__":{"name":"x"}}', undefined],
  ['{"name":"\u202Ex\u202C"}', 'x'],
  ['{"name":"\u200B"}', undefined],
  ['null', undefined],
  ['no JSON', undefined],
  [`{"name":"${'x'.repeat(80)}"}`, 'x'.repeat(80)],
  [`{"name":"${'x'.repeat(81)}"}`, undefined],
])('%s gives the name %s (4.4: the record’s members are not shown)', (text, name) => {
  expect(summaryIn(text).name).toBe(name)
})

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
