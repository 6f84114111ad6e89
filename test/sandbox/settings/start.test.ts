import { expect, test } from 'vitest'
import { open, seed } from '../_sandbox.ts'

test('the start page shows what the sandbox is, who can sign in, and the pages of each organization', async () => {
  const answer = await open().send('/')
  const page = await answer.text()
  expect(answer.status).toBe(200)
  for (const text of [
    'Nothing here is real',
    'Ada Lindqvist',
    'administrator of Meridian Shipping',
    'href="./projects?organization_id=1001"',
    'href="./plan?organization_id=2002"',
  ])
    expect(page).toContain(text)
})

test('the start page shows no secret and no key (5.1, 5.2)', async () => {
  const page = await (await open().send('/')).text()
  const { applications, api_keys } = seed()
  for (const secret of [...applications.map((one) => one.client_secret), ...api_keys.map((one) => one.value)])
    expect(page).not.toContain(secret)
})
