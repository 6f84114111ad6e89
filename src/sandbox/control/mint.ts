/** Issues codes, tokens, keys and applications without a page. The request log marks them as minted. */
import * as v from 'valibot'
import { isMember } from '../api/organization.ts'
import { issueKey, registerApplication } from '../state/active.ts'
import type { Context } from '../state/context.ts'
import { parse, text, whole } from '../state/parse.ts'
import { write } from '../state/request-log.ts'
import { type ApiKey, type Application, redirectUri } from '../state/seed.ts'
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
  redirect_uri: redirectUri,
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

function assertMember({ state }: Context, personId: string, id: number): void {
  const person = state.people.find((one) => one.id === personId)
  if (person === undefined) {
    const known = state.people.map((one) => one.id).join(', ')
    throw new Error(`person: There is no ${personId}; there is ${known}`)
  }
  if (!isMember(person, { id })) throw new Error(`organization_id: ${personId} is not a member of ${id}`)
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

export function mintKey(context: Context, wanted: unknown): ApiKey {
  const { person, ...fields } = parse(NEW_KEY, wanted, 'body')
  const { organization_id } = fields
  const issuer = person ?? context.state.people.find((one) => isMember(one, { id: organization_id }))?.id
  if (issuer === undefined) throw new Error('organization_id: There is no member who could issue the key')
  assertMember(context, issuer, organization_id)
  note(context, '/api-keys', organization_id)
  return issueKey(context, { ...fields, issued_by: issuer })
}

export function mintApplication(context: Context, wanted: unknown): Application {
  const fields = parse(NEW_APPLICATION, wanted, 'body')
  if (!context.state.organizations.some(({ id }) => id === fields.organization_id))
    throw new Error('organization_id: There is no such organization')
  note(context, '/applications', fields.organization_id)
  return registerApplication(context, fields)
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
