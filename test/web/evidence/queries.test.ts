import { expect, test } from 'vitest'
import { confirmFinding, forgetFinding } from '../../../src/web/evidence/queries.ts'
import { stubFetch } from '../_network.ts'

test('a confirmation names the value that was shown, and forgetting names the finding', async () => {
  const sent: unknown[] = []
  stubFetch(async (path, { method, body }) => {
    sent.push([method, path, body])
    return new Response(null, { status: 204 })
  })
  await confirmFinding('rate_limit_counts', 'no')
  await forgetFinding('month_zones')
  expect(sent).toEqual([
    ['POST', '/bff/evidence/rate_limit_counts', '{"value":"no"}'],
    ['DELETE', '/bff/evidence/month_zones', null],
  ])
})
