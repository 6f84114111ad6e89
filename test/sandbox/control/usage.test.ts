import { describe, expect, test } from 'vitest'
import { CHOICES } from '../../../src/sandbox/choices/choices.ts'
import { openControl } from '../_control.ts'
import { rate } from '../../kit/sandbox.ts'

test('the usage is that of the credential with the fewest requests left (8.2, 8.3)', async () => {
  const opened = openControl()
  await opened.api(3, '/organizations', opened.key())
  await opened.api(2, '/organizations', await opened.bearer())
  expect(await (await opened.ask('/usage')).json()).toEqual({
    1001: { month: 5, read: 3, update: 0 },
    2002: { month: 0, read: 0, update: 0 },
  })
})

test('the next answer counts from the value that was set, and nothing else changes', async () => {
  const opened = openControl()
  const token = await opened.bearer()
  const answer = await opened.json('PATCH', '/usage', { 1001: { month: 42, read: 10 } })
  expect(answer.status).toBe(204)
  for (const headers of [opened.key(), token])
    expect(rate(await opened.send('/organizations', { headers }))).toMatchObject({ limit: 60, remaining: 49 })
  expect(opened.control.usage()).toEqual({
    1001: { month: 44, read: 11, update: 0 },
    2002: { month: 0, read: 0, update: 0 },
  })
})

test('a minute and a month set to their limit refuse requests until they are set to 0 (8.4.3)', async () => {
  const opened = openControl()
  const status = async () => (await opened.send('/organizations', { headers: opened.key() })).status
  for (const used of [{ month: 100 }, { read: 60 }]) {
    opened.control.changeUsage({ 1001: used })
    expect([used, await status()]).toEqual([used, 429])
    opened.control.changeUsage({ 1001: { month: 0, read: 0 } })
    expect(await status()).toBe(200)
  }
})

describe('with every algorithm and holder of a minute', () => {
  const cases = [
    ...CHOICES.window.values.map(({ value }) => ({ window: value })),
    ...CHOICES.pertoken.values.map(({ value }) => ({ pertoken: value })),
  ]
  test.each(cases)('%o reads back the value that was set', async (choices) => {
    const opened = openControl({ choices })
    await opened.bearer()
    await opened.bearer()
    for (const read of [7, 60, 2, 0]) {
      opened.control.changeUsage({ 1001: { read, update: 1 } })
      expect(opened.control.usage()[1001]).toMatchObject({ read, update: 1 })
    }
  })
})
