/** A sandbox whose answers are told in one value each, and tests of each value of a choice. */
import { expect, test } from 'vitest'
import { type ChoiceKey, type Choices, parseChoices } from '../../src/sandbox/choices/choices.ts'
import { open, rate, seed } from '../kit/sandbox.ts'

type Fields = Record<string, string | undefined>
type Headers = Record<string, string>
type Options = Parameters<typeof open>[0]

export type Start = ReturnType<typeof start>

export const OTHER = { client_id: 'other', client_secret: 'others-secret' }
export const bearerOf = (token = '') => ({ Authorization: `Bearer ${token}` })
export const basic = (id: string, secret: string) => ({ Authorization: `Basic ${btoa(`${id}:${secret}`)}` })

/** The seed with a second application, which has the redirect URI of the first. */
export function seedWithOther() {
  const known = seed()
  return { ...known, applications: [...known.applications, { ...known.applications[0]!, ...OTHER }] }
}

export function start(options: Options = {}) {
  const opened = open({ seed: seedWithOther(), ...options })
  const { sandbox, send, post, clock, exchange, authorize, refresh, authorizePath, signIn, key } = opened

  const status = async (path: string, headers: Headers = {}, method = 'GET') =>
    (await send(path, { method, headers })).status
  const readWith = (token?: string) => status('/organizations', bearerOf(token))
  const left = async (headers: Headers = key(), method = 'GET') =>
    rate(await send('/organizations', { method, headers })).remaining
  const record = async (id = 1001) => (await send('/rate_limit', { headers: key(id) })).json()
  const month = (id = 1001) => sandbox.snapshot().months[id]?.count ?? 0
  /** @returns the requests of the key of 1001 that the minute has counted, and those of the month */
  const counts = () => {
    const { read, update } = sandbox.snapshot().windows[key()['X-Service-Api-Key']] ?? {}
    return [(read?.used ?? 0) + (update?.used ?? 0), month()]
  }
  const later = (seconds: number, ms = 0) => {
    clock.ms += seconds * 1000 + ms
  }

  /** @returns the status, followed by the error word if there is one */
  const told = ({ status: answered, body }: Awaited<ReturnType<typeof exchange>>) =>
    body.error === undefined ? answered : `${answered} ${body.error}`
  const exchangeOf = async (code: string, changes?: Fields, headers?: Headers) =>
    told(await exchange(code, changes, headers))
  const refreshOf = async (token?: string, changes?: Fields) => told(await refresh(token, changes))
  const tokens = async (changes?: Fields, person?: string) =>
    (await exchange(await authorize(changes, person))).body
  /** What an exchange or refresh comes to that is valid except for `changes`. */
  const exchanged = async (changes?: Fields, headers?: Headers) =>
    exchangeOf(await authorize(), changes, headers)
  const refreshed = async (changes?: Fields) => refreshOf((await tokens()).refresh_token, changes)

  /** Opens the authorization page, as nobody if the person is `null`. */
  const visit = async (changes: Fields | string = {}, person: string | null = 'ada') => {
    const path = typeof changes === 'string' ? changes : authorizePath(changes)
    const answer = await send(path, { headers: person === null ? {} : await signIn(person) })
    const to = answer.headers.get('Location')
    const back = to === null ? undefined : new URL(to).searchParams
    return { status: answer.status, headers: answer.headers, to, back, html: await answer.text() }
  }
  /** @returns the error of the redirect, or the status of a page */
  const asked = async (changes?: Fields, person?: string) => {
    const { status: answered, back } = await visit(changes, person)
    return back?.get('error') ?? answered
  }
  /** The permission page of a person, with what answers it. */
  const question = async (changes?: Fields, person?: string) => {
    const { cookie, csrfToken, page } = await opened.ask(changes, person)
    const decide = (answer: string, headers: Headers = cookie) =>
      post('/oauth2/permission', `csrf_token=${csrfToken}&answer=${answer}`, headers)
    return { cookie, csrfToken, page, decide }
  }
  return {
    ...opened,
    status,
    readWith,
    left,
    record,
    month,
    counts,
    later,
    exchangeOf,
    refreshOf,
    tokens,
    exchanged,
    refreshed,
    visit,
    asked,
    question,
  }
}

/** @returns what `play` comes to for each, one after another */
export async function inOrder<One, Seen>(all: readonly One[], play: (one: One) => Promise<Seen>) {
  const seen: Seen[] = []
  for (const one of all) seen.push(await play(one))
  return seen
}

/** Tests each value of a choice: what `play` returns has to equal what stands at the value. */
export function each<Key extends ChoiceKey>(
  key: Key,
  seen: Record<Choices[Key], unknown>,
  options: Options = {},
) {
  return (title: string, play: (there: Start, value: Choices[Key]) => unknown) =>
    test.each(Object.keys(seen) as Choices[Key][])(`${key} %s: ${title}`, async (value) => {
      const choices = parseChoices({ [key]: value }, parseChoices({ ...options.choices }))
      expect(await play(start({ ...options, choices }), value)).toEqual(seen[value])
    })
}
