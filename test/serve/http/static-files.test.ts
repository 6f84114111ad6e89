import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { createBff } from '../../../src/bff/bff.ts'
import { closeServer } from '../../../src/serve/http/listener.ts'
import { readStaticFiles } from '../../../src/serve/http/static-files.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import { CONFIG } from '../../kit/config.ts'
import { listenAnywhere } from '../_sockets.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

test('files with a content type are read with their path below the folder and their compressed copies', () => {
  const files = readStaticFiles(
    folderWith({
      'index.html': '<p>',
      'assets/a.js': 'plain',
      'assets/a.js.br': 'small',
      'assets/a.js.gz': 'smaller',
      '.vite/manifest.json': '{}',
    }),
  )
  expect([...files.keys()].toSorted()).toEqual(['/assets/a.js', '/index.html'])
  const bytes = (content: string) => new TextEncoder().encode(content)
  expect(files.get('/assets/a.js')).toEqual({
    body: bytes('plain'),
    encoded: { br: bytes('small'), gzip: bytes('smaller') },
    contentType: 'text/javascript; charset=utf-8',
  })
  expect(files.get('/index.html')?.encoded).toEqual({})
})

describe('over a socket', () => {
  /** Sends requests one after the other on one connection. */
  async function sent(
    requests: readonly (readonly [method: string, path: string, headers: Record<string, string>])[],
  ) {
    const files = readStaticFiles(
      folderWith({
        'index.html': '<p>',
        'assets/a.js': 'plain',
        'assets/a.js.gz': 'small',
      }),
    )
    const store = openSqlite(':memory:')
    const upstream = () => Promise.reject(new Error('nothing is sent'))
    const parts = {
      config: CONFIG,
      store,
      upstream,
      now: () => Date.now(),
      wait: async () => {},
      log: () => {},
    }
    const { server, port } = await listenAnywhere(createBff({ ...parts, files }).fetch)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const answers = []
    for (const [method, path, headers] of requests) {
      const asked = request({ port, agent, method, path, headers }).end()
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      answers.push({
        status: answer.statusCode,
        headers: answer.headers,
        body: await text(answer),
        isSame: asked.reusedSocket,
      })
    }
    agent.destroy()
    await closeServer(server)
    await store.close()
    return answers
  }

  test('a file that the browser has is 304 without a length, and the connection goes on (RFC 9110 15.4.5)', async () => {
    const gzip = { 'Accept-Encoding': 'gzip' }
    const path = '/assets/a.js'
    const [first] = await sent([['GET', path, gzip]])
    expect([first?.status, first?.body, first?.headers['content-encoding']]).toEqual([200, 'small', 'gzip'])
    const tag = first?.headers.etag ?? ''
    const again = { ...gzip, 'If-None-Match': `"x", W/${tag}` }
    const answers = await sent([
      ['GET', path, again],
      ['HEAD', path, again],
      // Not plain, so that it goes through the objects of the fetch API.
      ['GET', '/assets/%61.js/../a.js', again],
      ['HEAD', path, gzip],
      ['GET', path, { 'If-None-Match': tag }],
    ])
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [304, ''],
      [304, ''],
      [304, ''],
      [200, ''],
      [200, 'plain'],
    ])
    expect(answers.slice(1).every(({ isSame }) => isSame)).toBe(true)
    for (const { headers } of answers.slice(0, 3)) {
      expect(headers).toMatchObject({
        etag: tag,
        vary: 'Accept-Encoding',
        'cache-control': 'public, max-age=31536000, immutable',
        date: expect.any(String),
      })
      expect(Object.keys(headers).filter((name) => /^content-(type|length|encoding)$/.test(name))).toEqual([])
      expect(headers['transfer-encoding']).toBeUndefined()
    }
    expect(answers[3]?.headers).toMatchObject({ etag: tag, 'content-length': '5' })
  })
})
