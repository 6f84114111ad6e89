import { expect, test } from 'vitest'
import { ECHO_METHODS, ECHO_PATH } from '../../../src/sandbox/api/echo.ts'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { open, rate } from '../../kit/sandbox.ts'

test.each<[Choices['resources'], number]>([
  ['none', 404],
  ['echo', 200],
])('the choice %s answers %i to updates at the invented address (U52)', async (resources, status) => {
  const { send, key, sandbox } = open({ choices: { resources } })
  for (const method of ECHO_METHODS) {
    const answer = await send(ECHO_PATH, { method, headers: key(), body: 'a <b>' })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject(
      status === 200 ? { method, echo: 'a <b>' } : { error: 'not_found' },
    )
    expect(rate(answer).limit).toBe(15)
  }
  expect(sandbox.snapshot().months['1001']?.count).toBe(ECHO_METHODS.length)
})

test('it takes updates with a valid credential and a body that is not too large (U52)', async () => {
  const { send, key } = open({ choices: { resources: 'echo' } })
  const read = await send(ECHO_PATH, { headers: key() })
  expect([read.status, read.headers.get('Allow')]).toEqual([405, 'POST, PATCH, PUT, DELETE'])
  expect((await send(ECHO_PATH, { method: 'POST', body: 'x' })).status).toBe(401)
  const body = 'x'.repeat(20_000)
  expect((await send(ECHO_PATH, { method: 'POST', headers: key(), body })).status).toBe(413)
})
