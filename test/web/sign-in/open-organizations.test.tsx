import { expect, test } from 'vitest'
import { rememberOrganization } from '../../../src/web/session/last-organizations.ts'
import { sessionWords } from '../../../src/web/sign-in/open-organizations.tsx'

test('a session is named by its organization, with the name that this browser knows (2.3)', () => {
  expect(sessionWords({ organization_id: '7' })).toBe('organization 7')
  rememberOrganization({ id: '7', name: 'Ropes' })
  expect(sessionWords({ organization_id: '7' })).toBe('Ropes (7)')
  expect(sessionWords({})).toBe('the organization of an API key')
})
