/** What is printed when the sandbox opens, and where it may. */
import type { Seed } from './state/state.ts'

export interface OpenAt {
  /** {base_url}. */
  url: string
  /** Of the control plane. */
  controlUrl: string
  seed: Pick<Seed, 'organizations' | 'people'>
}

/** Names the sandbox, its control plane, and who can sign in. */
export function introduce({ url, controlUrl, seed }: OpenAt): string[] {
  const names = seed.organizations.map(({ id, name, plan }) => `    ${id}  ${name} (${plan})`)
  const people = seed.people.map(({ name, organizations }) => {
    return `    ${name.padEnd(16)}${organizations.map(({ organization_id: id, role }) => `${role} of ${id}`).join(', ')}`
  })
  return [
    `  The service is the sandbox at ${url}: nothing there is real, and nothing costs.`,
    `  Its control plane is at ${controlUrl}: the clock, the ledger, and all choices.`,
    '  Type one of these organizations, press Sign in, and pick who you are:',
    '',
    ...names,
    ...people,
  ]
}

/**
 * Whoever reaches the sandbox is whoever they say, so it opens to this machine alone (RFC 6749 1.6: and without TLS).
 * @param isTold whether somebody asked for any address in so many words
 * @throws Error in plain words for another address
 */
export function assertAddress(host: string, isTold: boolean): void {
  if (isTold || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host)) return
  throw new Error(
    `PLIMSOLL_HOST is ${host}, which others can reach. The sandbox asks for no password, so it opens on this machine alone; ` +
      'with --any-address it opens there all the same (npm run sandbox -- --any-address).',
  )
}
