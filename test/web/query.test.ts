import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createQueryClient, organizationQuery, sessionQuery } from '../../src/web/query.ts'
import { SOMEBODY, standIn } from './_bff.ts'

test('a query asks once: no second mount, focus or reconnect asks again (8.3)', async () => {
  const bff = standIn()
  const client = createQueryClient(() => {})
  client.mount()
  const watch = () => new QueryObserver(client, organizationQuery(SOMEBODY)).subscribe(() => {})
  const stop = watch()
  await expect.poll(() => client.getQueryData(organizationQuery(SOMEBODY).queryKey)).toBeDefined()
  stop()
  watch()
  watch()
  for (let times = 0; times < 10; times++) dispatchEvent(new Event('focus'))
  for (let times = 0; times < 3; times++) {
    dispatchEvent(new Event('offline'))
    dispatchEvent(new Event('online'))
  }
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(bff.calls).toHaveLength(1)
  expect(bff.spent()).toBe(0)
})

test('what failed is not asked again either, and is heard of once', async () => {
  const bff = standIn({ failures: { 'GET /bff/session': 'unreachable' } })
  const heard: string[] = []
  const client = createQueryClient(({ code }) => heard.push(code))
  const watch = () => new QueryObserver(client, sessionQuery).subscribe(() => {})
  watch()
  await expect.poll(() => heard).toEqual(['bff_unreachable'])
  watch()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(bff.calls).toHaveLength(1)
})
