import { expect, test } from 'vitest'
import { FORWARDED_READS, ORGANIZATION_READ, serviceRead } from '../../../src/bff/service/forwarded-reads.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { STANDARD } from '../../kit/app.ts'
import { onCall } from '../../kit/store-methods.ts'
import { signedIn } from '../_signed-in.ts'

test('each row is answered at its path of the bff, and recorded under its path of the service (4.3, 4.4)', async () => {
  const { fixture, browser } = await signedIn()
  const rows: string[] = []
  onCall(fixture.store, 'addEntry', (entry) => rows.push(`${entry.kind} ${entry.path}`))
  for (const { bffPath } of FORWARDED_READS) {
    const path = bffPath.replace(':id{[0-9]+}', STANDARD)
    expect((await browser.spend(path.replace('/api', ''))).status).toBe(200)
  }
  expect(rows).toEqual(FORWARDED_READS.map(({ kind, servicePath }) => `${kind} ${servicePath}`))
  const sent = fixture.paid().slice(1)
  expect(sent.map(({ path }) => path)).toEqual([
    '/organizations',
    `/organizations/${STANDARD}`,
    '/rate_limit',
  ])
})

test.each(['', '0', '01', '-1', '1/2', '$&', undefined])('%s completes no path (5.3)', (id) => {
  expect(() => serviceRead(ORGANIZATION_READ, id)).toThrow(new Problem('invalid_organization_id'))
})
