import { expect, test } from 'vitest'
import { createQueryClient } from '../../../src/web/lib/query.ts'
import { deleteReading, postReading, readingsQuery } from '../../../src/web/readings/queries.ts'
import { signedInNetwork } from '../_network.ts'
import { SESSION } from '../_month.tsx'

const readings = () => createQueryClient(() => {}).fetchQuery(readingsQuery(SESSION))

test('a reading is stored, read and removed for free, and removing it twice is no error (C17, C22)', async () => {
  const { fixture } = await signedInNetwork()
  const sent = fixture.sent.length
  const { id } = await postReading({ count: 32 })
  expect(await readings()).toMatchObject([{ id, count: 32, by: 'you' }])
  await deleteReading(id)
  await deleteReading(id)
  expect(await readings()).toEqual([])
  expect(fixture.sent).toHaveLength(sent)
})

test('a reading that the server refuses is thrown as a Problem (C19)', async () => {
  await signedInNetwork()
  await postReading({ count: 32 })
  await expect(postReading({ count: 4 })).rejects.toMatchObject({ code: 'lower_reading' })
  await expect(postReading({ count: -4 })).rejects.toMatchObject({ code: 'invalid_request' })
})

test('a removal without an answer is a failure (C22)', async () => {
  const network = await signedInNetwork()
  network.cut.add('DELETE /bff/readings/a')
  await expect(deleteReading('a')).rejects.toMatchObject({ code: 'bff_unreachable' })
})
