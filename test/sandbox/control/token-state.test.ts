import { expect, test } from 'vitest'
import { fingerprint } from '../../../src/sandbox/state/request-log.ts'
import { openControl } from '../_control.ts'
import { START_MS } from '../../kit/sandbox.ts'

test('only the control plane answers with token states, without the tokens (check 66, RFC 7662 2.2)', async () => {
  const opened = openControl()
  const code = await opened.authorize()
  const { body } = await opened.exchange(code)
  for (const path of ['/oauth2/introspect', '/introspect', '/oauth2/token/introspect', '/tokens']) {
    const init = { method: 'POST', body: `token=${body.access_token}`, headers: opened.key() }
    expect((await opened.send(path, init)).status).toBe(404)
  }
  const text = await (await opened.ask('/tokens')).text()
  for (const secret of [code, body.access_token, body.refresh_token]) expect(text).not.toContain(secret)
  const whose = { client_id: 'plimsoll', person_id: 'ada', organization_id: 1001, issued_at_ms: START_MS }
  const expected = [
    { kind: 'code', fingerprint: fingerprint(code), active: false, ...whose },
    { kind: 'access_token', fingerprint: fingerprint(body.access_token ?? ''), active: true, ...whose },
    { kind: 'refresh_token', fingerprint: fingerprint(body.refresh_token ?? ''), active: true, ...whose },
  ]
  expect(JSON.parse(text)).toEqual(expected)
  opened.control.clock.toTokenEnd()
  expect(await (await opened.ask('/tokens')).json()).toMatchObject([{}, { active: false }, { active: true }])
})
