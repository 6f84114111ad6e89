import { areRefusedBySafari } from '../../contract/cookie-name.ts'
import type { RunningSandbox } from '../sandbox/exports.d.ts'
import type { Settings } from '../settings/settings.ts'

type SandboxAt = Pick<RunningSandbox, 'url' | 'controlUrl' | 'seed'>

// The cookies are Secure, and Safari makes no exception for this machine.
const SAFARI = `
  Safari stores no cookies of this address: use another browser, http://localhost, or https.`

/** Names the address of the app, and its service or sandbox. */
export const appBanner = (
  { publicUrl, serviceUrl }: Pick<Settings, 'publicUrl' | 'serviceUrl'>,
  sandbox: SandboxAt | undefined,
): string => `
  Plimsoll is open at ${publicUrl}${areRefusedBySafari(publicUrl) ? SAFARI : ''}

${sandbox ? ofSandbox(sandbox) : `  It signs people in at ${serviceUrl}\n`}
`

const ofSandbox = (sandbox: SandboxAt): string =>
  `${addresses(sandbox)}  Press the button of one of these organizations, then pick who you are:

${records(sandbox)}`

/** Names the address of the sandbox, its people, and the data of a client, with a request to try. */
export function sandboxBanner(sandbox: SandboxAt, { apiKeyHeader }: Pick<Settings, 'apiKeyHeader'>): string {
  const { url, seed } = sandbox
  const [application] = seed.applications
  const [key] = seed.api_keys
  const registered = application
    ? `
  client_id      ${application.client_id}
  client_secret  on ${url}/settings/applications
  redirect_uri   ${application.redirect_uri}
`
    : ''
  const request = key
    ? `  API key        ${key.value}

  curl -H '${apiKeyHeader}: ${key.value}' ${url}/organizations
`
    : ''
  return `\n${addresses(sandbox)}\n${records(sandbox)}${registered}${request}\n`
}

const addresses = ({ url, controlUrl }: SandboxAt): string =>
  `  The service is the sandbox at ${url}: nothing in it is real, and no request costs anything.
  Its control plane is at ${controlUrl}: the clock, the request log, and all choices.
`

function records({ seed }: SandboxAt): string {
  const organizations = seed.organizations.map(({ id, name, plan }) => `    ${id}  ${name} (${plan})\n`)
  const people = seed.people.map(({ name, organizations }) => {
    const roles = organizations.map(({ organization_id: id, role }) => `${role} of ${id}`)
    return `    ${name.padEnd(16)}${roles.join(', ')}\n`
  })
  return [...organizations, ...people].join('')
}
