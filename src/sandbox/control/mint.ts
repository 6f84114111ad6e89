/** Issues codes, tokens, keys and applications without a page. The request log marks them as minted. */
import * as v from 'valibot'
import type { Context } from '../state/context.ts'
import { parse, text, whole } from '../state/parse.ts'
import { write } from '../state/request-log.ts'
import type { Application } from '../state/seed.ts'
import type { DeepReadonly } from '../state/state.ts'
import { issueCode, issueTokens, newToken } from '../token/grant.ts'

export const PERMISSION = v.strictObject({
  /** The id of a person, for example `ada`. */
  person: text,
  organization_id: whole(),
  /** A Client Id. Without it, the first application is meant. */
  application: v.exactOptional(text),
})
export const NEW_KEY = v.strictObject({
  organization_id: whole(),
  /** Who issues it. Without it, the first member of the organization. */
  person: v.exactOptional(text),
  description: v.exactOptional(v.string()),
})
export const NEW_APPLICATION = v.strictObject({
  organization_id: whole(),
  name: text,
  redirect_uri: v.pipe(
    text,
    v.check((uri) => URL.canParse(uri) && !uri.includes('#'), 'It must be an absolute address without #'),
  ),
})

/** As a person would who signs in and permits. */
function permit(context: Context, wanted: unknown) {
  const { state } = context
  const { person: personId, organization_id, application: clientId } = parse(PERMISSION, wanted, 'body')
  assertMember(context, personId, organization_id)
  const application = state.applications.find(
    ({ client_id }) => clientId === undefined || client_id === clientId,
  )
  if (application === undefined) throw new Error('application: There is no such application')
  const { client_id, redirect_uri } = application
  const permission = { client_id, redirect_uri, person_id: personId, organization_id }
  const code = issueCode(context, { ...permission, asked_at_ms: context.nowMs })
  return { code, application, organization_id }
}

function assertMember({ state }: Context, personId: string, organizationId: number): void {
  const person = state.people.find(({ id }) => id === personId)
  if (person === undefined)
    throw new Error(
      `person: There is no ${personId}; there is ${state.people.map(({ id }) => id).join(', ')}`,
    )
  if (!person.organizations.some(({ organization_id }) => organization_id === organizationId))
    throw new Error(`organization_id: ${personId} is not a member of ${organizationId}`)
}

export function mintCode(context: Context, wanted: unknown) {
  const { code, application, organization_id } = permit(context, wanted)
  note(context, '/codes', organization_id)
  return { code, client_id: application.client_id, redirect_uri: application.redirect_uri }
}

/** The token response of 2.1, as the exchange of a code gives it. */
export function mintTokens(context: Context, wanted: unknown) {
  const { code, organization_id } = permit(context, wanted)
  note(context, '/tokens', organization_id)
  const issued = context.state.codes[code]
  if (issued === undefined) throw new Error('The code is gone')
  context.change(({ codes }) => {
    codes[code] = { ...issued, used_at_ms: context.nowMs }
  })
  return issueTokens(context, issued.grant_id, newToken(context))
}

export function mintKey(context: Context, wanted: unknown) {
  const { organization_id, person, description } = parse(NEW_KEY, wanted, 'body')
  const issuer = person ?? memberOf(context, organization_id)
  assertMember(context, issuer, organization_id)
  note(context, '/api-keys', organization_id)
  const key = {
    value: context.nextRandom(),
    ...(description !== undefined && { description }),
    organization_id,
    issued_by: issuer,
  }
  context.change(({ api_keys }) => api_keys.push(key))
  return key
}

const memberOf = ({ state }: Context, organizationId: number): string =>
  state.people.find(({ organizations }) =>
    organizations.some(({ organization_id }) => organization_id === organizationId),
  )?.id ?? 'nobody'

export function mintApplication(context: Context, wanted: unknown): DeepReadonly<Application> {
  const fields = parse(NEW_APPLICATION, wanted, 'body')
  if (!context.state.organizations.some(({ id }) => id === fields.organization_id))
    throw new Error('organization_id: There is no such organization')
  note(context, '/applications', fields.organization_id)
  const application = {
    client_id: context.nextRandom().slice(0, 20),
    client_secret: context.nextRandom(),
    ...fields,
  }
  context.change(({ applications }) => applications.push(application))
  return application
}

function note(context: Context, path: string, organizationId: number): void {
  context.change((state) => {
    state.requests += 1
    write(state.request_log, {
      number: state.requests,
      at_ms: context.nowMs,
      method: 'POST',
      path,
      rule: 'minted',
      status: 200,
      cost: { month: 0 },
      organization_id: organizationId,
      seen: {},
    })
  })
}
