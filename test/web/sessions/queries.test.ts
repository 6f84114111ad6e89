import { expect, test } from 'vitest'
import { createQueryClient } from '../../../src/web/lib/query.ts'
import { deleteOtherSessions, deleteOwnSession, ownSessionsQuery } from '../../../src/web/sessions/queries.ts'
import { SESSION } from '../_month.tsx'
import { signedInNetwork, signInByKey } from '../_network.ts'

const sessions = () => createQueryClient(() => {}).fetchQuery(ownSessionsQuery(SESSION))

test('the own sessions are listed and ended, at no request; one that is gone is no failure (ASVS 7.5.2)', async () => {
  const network = await signedInNetwork('api_key')
  const { fixture } = network
  for (const other of [fixture.browser(), fixture.browser()]) await signInByKey(fixture, other)
  const before = network.spent()
  const [own, another] = (await sessions()).toSorted((a, b) => Number(b.current) - Number(a.current))
  expect([own?.current, another?.current]).toEqual([true, false])
  await deleteOwnSession(another!.id)
  await deleteOwnSession(another!.id)
  expect(await sessions()).toHaveLength(2)
  await deleteOtherSessions()
  expect((await sessions()).map(({ current }) => current)).toEqual([true])
  expect(network.spent()).toBe(before)
})
