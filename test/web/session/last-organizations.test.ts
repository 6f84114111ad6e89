import { expect, test, vi } from 'vitest'
import {
  forgetOrganization,
  forgetOrganizations,
  lastOrganizations,
  rememberOrganization,
} from '../../../src/web/session/last-organizations.ts'

test('at most five organizations are stored, the newest first, each once', () => {
  for (const id of ['1', '2', '3', '4', '5', '6', '3']) rememberOrganization({ id, name: `Name ${id}` })
  expect(lastOrganizations().map(({ id }) => id)).toEqual(['3', '6', '5', '4', '2'])
})

test('a missing name does not replace a known one, and a new name does', () => {
  rememberOrganization({ id: '1' })
  expect(lastOrganizations()).toEqual([{ id: '1' }])
  rememberOrganization({ id: '1', name: 'Old' })
  rememberOrganization({ id: '1' })
  expect(lastOrganizations()).toEqual([{ id: '1', name: 'Old' }])
  rememberOrganization({ id: '1', name: 'New' })
  expect(lastOrganizations()).toEqual([{ id: '1', name: 'New' }])
})

test('one or all can be removed, and then nothing is stored', () => {
  for (const id of ['1', '2', '3']) rememberOrganization({ id })
  forgetOrganization('2')
  expect(lastOrganizations().map(({ id }) => id)).toEqual(['3', '1'])
  forgetOrganizations()
  expect(localStorage).toHaveLength(0)
})

test.each(['no json', '{}', '[{"id":"0"}]', '[{"id":1001},{"name":"x"}]', '[{"id":"1","name":7}]', 'null'])(
  'a stored text that is not a list of organizations, such as %s, is ignored',
  (stored) => {
    localStorage.setItem('plimsoll.organizations', stored)
    expect(lastOrganizations()).toEqual([])
  },
)

test('without a storage there is no list, and no error', () => {
  const refused = () => {
    throw new DOMException('refused', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: refused, setItem: refused, removeItem: refused })
  rememberOrganization({ id: '1' })
  forgetOrganizations()
  expect(lastOrganizations()).toEqual([])
})
