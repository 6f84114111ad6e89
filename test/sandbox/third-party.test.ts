import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { AuthorizationCode, type ModuleOptions } from 'simple-oauth2'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AUTHORIZATION_PATH } from '../../src/contract/authorize.ts'
import { TOKEN_PATH } from '../../src/contract/token.ts'
import { CALLBACK, CLIENT, FORM, open } from '../kit/sandbox.ts'

/** The sandbox behind a socket of this machine. */
let service: ReturnType<typeof open>
let server: ReturnType<typeof createAdaptorServer>
let base: string

beforeEach(async () => {
  service = open({ basePath: '/service' })
  server = createAdaptorServer({ fetch: service.sandbox.fetch })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/service`
})

afterEach(async () => {
  server.close()
  await once(server, 'close')
})

type Method = NonNullable<ModuleOptions['options']>['authorizationMethod']

const clientWith = (authorizationMethod: Method) =>
  new AuthorizationCode({
    client: { id: CLIENT.client_id, secret: CLIENT.client_secret },
    auth: {
      tokenHost: base,
      tokenPath: `/service${TOKEN_PATH}`,
      authorizePath: `/service${AUTHORIZATION_PATH}`,
    },
    options: { authorizationMethod },
  })

/** Uses a browser that follows redirects. @returns the last address */
async function permit(address: string): Promise<URL> {
  const post = (to: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(to, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...FORM, ...headers },
      body: new URLSearchParams(fields).toString(),
    })
  const signedIn = await post(address, { person_id: 'ada' })
  const cookie = { Cookie: signedIn.headers.get('Set-Cookie')?.split(';')[0] ?? '' }
  const page = await (await fetch(address, { headers: cookie })).text()
  const csrfToken = /name="csrf_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const action = new URL(/<form method="post" action="([^"]+)"/.exec(page)?.[1] ?? '', address)
  const answer = await post(action.href, { csrf_token: csrfToken, answer: 'permit' }, cookie)
  return new URL(answer.headers.get('Location') ?? '')
}

test.each<Method>(['body', 'header'])(
  'simple-oauth2 authorizes, exchanges and refreshes with client authentication by %s (S46, 5.2.1)',
  async (method) => {
    const client = clientWith(method)
    // The last one is not in RFC 6749; 5.3 asks for it.
    const query = { redirect_uri: CALLBACK, state: 'a-state-of-some-length', organization_id: '1001' }
    const address = client.authorizeURL(query)
    const back = await permit(address)
    expect(back.origin + back.pathname).toBe(CALLBACK)
    expect(back.searchParams.get('state')).toBe('a-state-of-some-length')

    const first = await client.getToken({ code: back.searchParams.get('code') ?? '', redirect_uri: CALLBACK })
    expect(await organizationOf(first.token['access_token'])).toMatchObject({ organization_id: 1001 })
    const second = await first.refresh()
    expect(second.token['access_token']).not.toBe(first.token['access_token'])
    expect(second.token['refresh_token']).not.toBe(first.token['refresh_token'])
    expect(await organizationOf(second.token['access_token'])).toMatchObject({ organization_id: 1001 })

    await expect(first.refresh()).rejects.toMatchObject({ data: { payload: { error: 'invalid_grant' } } })
  },
)

async function organizationOf(token: unknown): Promise<unknown> {
  const answer = await fetch(`${base}/organizations/1001`, {
    headers: { Authorization: `Bearer ${String(token)}` },
  })
  return answer.json()
}
