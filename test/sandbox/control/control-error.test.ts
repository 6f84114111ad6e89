import { expect, test } from 'vitest'
import { ControlError, withInvalidRequest } from '../../../src/sandbox/control/control-error.ts'
import { openControl } from '../_control.ts'

const fail = (thrown: unknown) => () => {
  throw thrown
}

test('an Error of an action becomes invalid_request with its message, cut at 4000 characters', () => {
  expect(withInvalidRequest(() => 1)).toBe(1)
  const problemOf = (thrown: unknown) => {
    try {
      return withInvalidRequest(fail(thrown))
    } catch (error) {
      return error instanceof ControlError ? error.problem : undefined
    }
  }
  expect(problemOf(new Error('x'.repeat(5000)))).toEqual({
    error: 'invalid_request',
    description: 'x'.repeat(4000),
    status: 400,
  })
  expect(problemOf('text')?.description).toBe('text')
})

test('an error is JSON for tools, and a page for browsers', async () => {
  const { ask, press } = openControl()
  const json = await ask('/nothing')
  expect([json.status, await json.json()]).toEqual([
    404,
    { error: 'not_found', error_description: 'There is nothing at this address.' },
  ])
  const page = await press('/', { do: 'nothing' })
  expect([page.status, page.headers.get('Content-Type')]).toEqual([400, 'text/html; charset=UTF-8'])
})
