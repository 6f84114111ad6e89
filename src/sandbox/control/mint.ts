/** Issues codes, tokens, keys and applications without a page. The request log marks them as minted. */
import * as v from 'valibot'
import { isMember } from '../api/organization.ts'
import type { Context } from '../state/context.ts'
import {
  isAccessTokenOver,
  isCodeOver,
  isRefreshTokenOver,
  isRefreshTokenReplaced,
  issueKey,
  registerApplication,
} from '../state/issued.ts'
import { text, whole } from '../state/parse.ts'
import { fingerprint, write } from '../state/request-log.ts'
import { type ApiKey, type Application, redirectUri } from '../state/seed.ts'
import { issueCode, issueTokens, newToken, useCode } from '../token/grant.ts'

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
function permit(
  context: Context,
  { person: personId, organization_id, application: clientId }: v.InferOutput<typeof PERMISSION>,
) {
  const { state } = context
  assertMember(context, personId, organization_id)
  const used = state.applications.find(({ client_id }) => clientId === undefined || client_id === clientId)
  if (used === undefined) throw new Error('application: There is no such application')
  const { client_id, redirect_uri } = used
  const permission = { client_id, redirect_uri, person_id: personId, organization_id }
  const issued = issueCode(context, { ...permission, asked_at_ms: context.nowMs })
  return { issued, client_id, redirect_uri, organization_id }
}

function assertMember({ state }: Context, personId: string, id: number): void {
  const person = state.people.find((one) => one.id === personId)
  if (person === undefined) {
    const known = state.people.map((one) => one.id).join(', ')
    throw new Error(`person: There is no ${personId}; there is ${known}`)
  }
  if (!isMember(person, { id })) throw new Error(`organization_id: ${personId} is not a member of ${id}`)
}

export function code(context: Context, wanted: v.InferOutput<typeof PERMISSION>) {
  const { issued, organization_id, client_id, redirect_uri } = permit(context, wanted)
  note(context, '/codes', organization_id)
  return { code: issued, client_id, redirect_uri }
}

/** The token response of 2.1, as the exchange of a code gives it. */
export function tokens(context: Context, wanted: v.InferOutput<typeof PERMISSION>) {
  const { issued, organization_id } = permit(context, wanted)
  note(context, '/tokens', organization_id)
  const { grant_id } = useCode(context, issued)
  return issueTokens(context, grant_id, newToken(context))
}

export function key(context: Context, { person, ...fields }: v.InferOutput<typeof NEW_KEY>): ApiKey {
  const { organization_id } = fields
  const issuer = person ?? context.state.people.find((one) => isMember(one, { id: organization_id }))?.id
  if (issuer === undefined) throw new Error('organization_id: There is no member who could issue the key')
  assertMember(context, issuer, organization_id)
  note(context, '/api-keys', organization_id)
  return issueKey(context, { ...fields, issued_by: issuer })
}

export function application(context: Context, fields: v.InferOutput<typeof NEW_APPLICATION>): Application {
  if (!context.state.organizations.some(({ id }) => id === fields.organization_id))
    throw new Error('organization_id: There is no such organization')
  note(context, '/applications', fields.organization_id)
  return registerApplication(context, fields)
}

function note(context: Context, path: string, organizationId: number): void {
  const { state } = context
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
}

/** The state of every code and token, without its value (RFC 7662 2.2, 4). Revoked ones are not stored. */
export function tokenStates(context: Context) {
  const { codes, access_tokens, refresh_tokens, grants } = context.state
  const statesOf = <Issued extends { grant_id: string; issued_at_ms: number }>(
    kind: string,
    records: Record<string, Issued>,
    isActive: (issued: Issued) => boolean,
  ) =>
    Object.entries(records).map(([secret, issued]) => {
      const { permitted_at_ms: _, ...permission } = grants[issued.grant_id] ?? {}
      const { issued_at_ms } = issued
      return { kind, fingerprint: fingerprint(secret), active: isActive(issued), ...permission, issued_at_ms }
    })
  return [
    ...statesOf('code', codes, (code) => code.used_at_ms === undefined && !isCodeOver(context, code)),
    ...statesOf('access_token', access_tokens, (token) => !isAccessTokenOver(context, token)),
    ...statesOf('refresh_token', refresh_tokens, (token) => {
      const isOver = isRefreshTokenOver(context, token, grants[token.grant_id])
      return !isOver && !isRefreshTokenReplaced(context, token)
    }),
  ]
}
