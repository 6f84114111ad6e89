// The sandbox alone, as a process: its address, its control plane, and the state that it keeps.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ended, MEMORY, openAlone } from '../kit/sandbox-process.ts'

const askedAs = (port: number, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/profile', headers: { Host: host } }, ({ statusCode }) =>
      resolve(statusCode),
    )
      .on('error', reject)
      .end()
  })

test('alone it listens on this machine, prints the address, and on no other (check 68, RFC 6749 1.6)', async () => {
  const { port, output, service, control } = await openAlone(MEMORY)
  expect(output()).toContain(`sandbox at http://127.0.0.1:${port}:`)
  expect(output()).toContain(`control plane is at http://127.0.0.1:${port + 1}:`)
  expect((await service('/')).status).toBe(200)
  expect((await control('/choices')).status).toBe(200)
  // The sandbox takes the ports on one address only.
  for (const taken of [port, port + 1]) {
    const other = createServer()
    ended.push(() => other.close())
    await new Promise((resolve, reject) => {
      other.once('error', reject).listen(taken, '127.0.0.2', () => resolve(null))
    })
  }
})

test('another address is refused unless an explicit flag asks for it (check 68, RFC 6749 1.6)', async () => {
  const refused = await openAlone({ ...MEMORY, PLIMSOLL_HOST: '0.0.0.0' })
  await expect.poll(() => refused.child.exitCode).toBe(1)
  expect(refused.output()).toMatch(/^PLIMSOLL_HOST is an address that others can reach.*--any-address/)
  const opened = await openAlone({ ...MEMORY, PLIMSOLL_HOST: '0.0.0.0' }, ['--any-address'])
  expect((await fetch(`http://127.0.0.2:${opened.port}/`)).status).toBe(200)
  await expect(fetch(`http://127.0.0.2:${opened.port + 1}/`)).rejects.toThrow('fetch failed')
  expect((await opened.control('/')).status).toBe(200)
})

test('the control plane accepts no credential of the service, and no host name but its own (check 69)', async () => {
  const { port, service, control } = await openAlone(MEMORY)
  const { api_keys } = await (await control('/snapshot')).json()
  const headers = { 'X-Service-Api-Key': api_keys[0].value }
  expect((await service('/organizations', headers)).status).toBe(200)
  expect((await fetch(`http://127.0.0.1:${port + 1}/profile`, { headers })).status).toBe(403)
  expect((await service('/profile', headers)).status).toBe(404)
  expect(await askedAs(port + 1, `evil.example:${port + 1}`)).toBe(421)
  expect(await askedAs(port + 1, `localhost:${port + 1}`)).toBe(200)
})

test('an injected fault breaks a real connection, and the next request is answered', async () => {
  const { service, control } = await openAlone(MEMORY)
  await control('/faults', 'POST', { operation: 'rate_limit', kind: 'reset' })
  await expect(service('/rate_limit')).rejects.toThrow('fetch failed')
  expect((await service('/rate_limit')).status).toBe(401)
  await control('/faults', 'POST', { operation: 'rate_limit', kind: 'delay', ms: 300 })
  const before = performance.now()
  await service('/rate_limit')
  expect(performance.now() - before).toBeGreaterThan(290)
})

test('truncate breaks a real connection in the middle of a body', async () => {
  const { port, control } = await openAlone(MEMORY)
  await control('/faults', 'POST', { operation: 'rate_limit', kind: 'truncate' })
  const { length, text, isWhole } = await new Promise<{ length: number; text: string; isWhole: boolean }>(
    (resolve, reject) => {
      request({ port, host: '127.0.0.1', path: '/rate_limit' }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        answer.on('error', () => {})
        const length = Number(answer.headers['content-length'])
        answer.on('close', () => resolve({ length, text, isWhole: answer.complete }))
      })
        .on('error', reject)
        .end()
    },
  )
  expect([isWhole, text.length]).toEqual([false, Math.floor(length / 2)])
  expect(text).toMatch(/^\{"error/)
  expect((await (await control('/ledger')).json()).at(-1)).toMatchObject({
    rule: 'fault_truncate',
    status: 401,
  })
})

test('choices, clock and request log survive the process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  ended.push(() => rmSync(folder, { recursive: true, force: true }))
  const env = { PLIMSOLL_STORE: `sqlite:${folder}/plimsoll.db` }
  const first = await openAlone(env)
  await first.service('/organizations')
  await first.control('/profile', 'PATCH', { deny: 'page' })
  await first.control('/clock', 'POST', { do: 'freeze' })
  await first.control('/clock', 'POST', { do: 'to_month_end' })
  const clock = await (await first.control('/clock')).json()
  await first.stop()
  const second = await openAlone(env, [], first.port)
  expect(await (await second.control('/clock')).json()).toEqual(clock)
  expect(await (await second.control('/profile')).json()).toMatchObject({ deny: 'page' })
  expect(await (await second.control('/ledger')).json()).toMatchObject([{ rule: 'missing_credential' }])
})
