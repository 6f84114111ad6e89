/** Makes watch links as the page does, and opens them as a browser that is not signed in. */
import { expect, onTestFinished } from 'vitest'
import { addSecrets } from '../../kit/canaries.ts'
import { type EventReader, readEvents } from '../../kit/events.ts'
import type { WatchedQuota } from '../../../src/contract/watch.ts'
import { type MadeLink } from '../../../src/contract/watch-links.ts'
import { type App, startApp } from '../../kit/app.ts'
import type { Person } from '../../kit/person.ts'

/** @param json as the page sends it */
export async function makeLink(maker: Person, json: object = { name: 'Kitchen' }): Promise<MadeLink> {
  const { body } = await maker.request<unknown>('POST', '/bff/watch-links', { json })
  const link = body as MadeLink
  addSecrets(link.secret)
  return link
}

export async function signedInMaker(fixture: App, organization?: string, person?: string) {
  const maker = fixture.browser()
  await maker.signIn(organization, person)
  return maker
}

/** A link of Standard, and a browser that has not opened it yet. @param json as the page sends it */
export async function linked(json?: object) {
  const fixture = startApp()
  const maker = await signedInMaker(fixture)
  const link = await makeLink(maker, json)
  return { fixture, maker, link, viewer: fixture.browser() }
}

/** The exchange of the secret for a cookie. */
export const open = (viewer: Person, { id, secret }: Pick<MadeLink, 'id' | 'secret'>) =>
  viewer.request('POST', `/watch/session/${id}`, { json: { secret } })

/** The stream of a page of the link, after its first event. The page leaves after the test. */
export async function listen(viewer: Person, link: MadeLink): Promise<EventReader> {
  await open(viewer, link)
  const reader = readEvents(
    (await viewer.fetch(`/watch/events/${link.id}`, { headers: { 'X-CSRF': '1' } })).body,
  )
  onTestFinished(reader.leave)
  await expect.poll(() => reader.received.length).toBe(1)
  return reader
}

export const quotaOf = (viewer: Person, id: string) =>
  viewer.request<WatchedQuota & { code?: string; fault?: string }>('GET', `/watch/quota/${id}`)

/** As curl asks: without the headers of a page. */
export const byScript = (
  { bff }: Pick<App, 'bff'>,
  secret: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Response> =>
  bff.fetch(
    new Request('http://localhost:3000/watch/quota', {
      method,
      headers: { Authorization: `Bearer ${secret}`, 'User-Agent': 'curl/8.7.1', ...headers },
    }),
    { address: '203.0.113.9' },
  )
