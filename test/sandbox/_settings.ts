/** Uses the settings screens like a person: reads pages and sends forms. */
import { derive } from '../../src/sandbox/state/seed.ts'
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts'
import type { Organization, Seed } from '../../src/sandbox/state/seed.ts'
import type { SandboxState } from '../../src/sandbox/state/state.ts'
import { query, seed } from '../kit/sandbox.ts'
import { start } from './_start.ts'

type Fields = Record<string, string | undefined> | string

export const KEY = { description: 'A key', agreement: 'agreed' }
export const APPLICATION = {
  name: 'Tide table',
  redirect_uri: 'https://tide.example/callback',
  agreement: 'agreed',
}
/** Text that would run as a script if it were not escaped. */
export const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)>'{{7*7}}`

/** Cleo administers 2002 (Business), Ada 1001 (Standard). Ada is a member of 2002, and Ben one of 1001. */
export async function atSettings(
  options: Partial<SandboxOptions> = {},
  person = 'cleo',
  organization = person === 'cleo' ? '2002' : '1001',
) {
  const opened = start({ seed: seed(), ...options })
  const headers = await opened.signIn(person)
  const at = (path: string, more = '') =>
    `/settings${path && `/${path}`}?organization_id=${organization}${more}`
  const read = async (path: string, more?: string) => {
    const answer = await opened.send(at(path, more), { headers })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  /** @returns the csrf token, derived if the page has no form */
  const csrfToken = async (path: string) =>
    /name="csrf_token" value="([^"]+)"/.exec((await read(path)).text)?.[1] ??
    derive(headers.Cookie.split('=')[1] ?? '', 'forms')
  const fill = async (path: string, fields: Fields, more: Record<string, string> = {}) => {
    const token = new URLSearchParams({ csrf_token: await csrfToken(path) }).toString()
    const body = typeof fields === 'string' ? `${token}&${fields}` : `${token}&${query(fields)}`
    const answer = await opened.post(at(path), body, { ...headers, ...more })
    return { status: answer.status, to: answer.headers.get('Location'), text: await answer.text() }
  }
  /** The addresses of the single keys or applications in a list. */
  const handles = async (path: string) =>
    [...(await read(path)).text.matchAll(/settings\/([\w-]+\/[\w-]{16})\?/g)].map(([, found]) => found ?? '')
  const state = () => opened.sandbox.snapshot()
  const keys = () => listed(state().api_keys, organization)
  const applications = () => listed(state().applications, organization)
  return { ...opened, headers, at, read, csrfToken, fill, handles, state, keys, applications }
}

const listed = <T extends { organization_id: number; deleted_at_ms?: number }>(
  all: T[],
  organization: string,
) => all.filter((one) => String(one.organization_id) === organization && one.deleted_at_ms === undefined)

export const records = ({ organizations, applications, api_keys, grants }: SandboxState) => ({
  organizations,
  applications,
  api_keys,
  grants,
})

/** The seed with other keys and applications of one organization. */
export function issued(
  seeded: Seed,
  organization_id: Organization['id'],
  { keys = 0, applications = 0 }: { keys?: number; applications?: number },
): Seed {
  const issued_by = organization_id === 2002 ? 'cleo' : 'ada'
  const others = <T extends { organization_id: number }>(all: T[]) =>
    all.filter((one) => one.organization_id !== organization_id)
  const times = <T>(count: number, make: (nth: number) => T) =>
    Array.from({ length: count }, (_, nth) => make(nth + 1))
  const key = (nth: number) => ({ value: `key-${nth}`, organization_id, issued_by })
  const application = (nth: number) => ({
    ...seeded.applications[0]!,
    client_id: `client-${nth}`,
    client_secret: `secret-${nth}`,
    organization_id,
  })
  return {
    ...seeded,
    api_keys: [...others(seeded.api_keys), ...times(keys, key)],
    applications: [...others(seeded.applications), ...times(applications, application)],
  }
}
