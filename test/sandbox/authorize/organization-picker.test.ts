import { expect, test } from 'vitest'
import { BASE, open } from '../_sandbox.ts'

test('the page offers the organizations of the person, each leads to the permission for it (U10, 5.3)', async () => {
  const { send, signIn, authorizePath } = open({ choices: { orgbad: 'picker' }, basePath: '/a/b' })
  const headers = await signIn('ada')
  const path = authorizePath({ organization_id: '7', state: '"><script>' })
  const page = await (await send(path, { headers })).text()
  expect(page).not.toContain('<script')
  const links = [...page.matchAll(/<li><a href="([^"]+)">([^<]+)/g)]
  expect(links.map(([, , name]) => name)).toEqual(['Harbour Rope Works', 'Meridian Shipping'])
  const { pathname, search } = new URL((links[1]?.[1] ?? '').replaceAll('&amp;', '&'), `${BASE}/a/b${path}`)
  const next = await send(pathname.slice('/a/b'.length) + search, { headers })
  expect(await next.text()).toContain('asks for access to Meridian Shipping')
})
