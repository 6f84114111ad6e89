/** The OpenAPI documents: of the control plane, made from its actions, and of the service. */
import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { RATE_HEADERS } from '../../contract/rate-limit.ts'
import { fieldsOf } from './form.tsx'
import { ACTIONS, type Action } from './routes.ts'

const jsonSchema = (schema: v.GenericSchema) => {
  const { $schema: _, ...rest } = toJsonSchema(schema, { errorMode: 'ignore' })
  return rest
}

const asJson = (schema: unknown) => ({ content: { 'application/json': { schema } } })

const STRING = { type: 'string' }
const INTEGER = { type: 'integer' }
const ERROR = { type: 'object', properties: { error: STRING, error_description: STRING } }
const refusal = (description: string) => ({ description, ...asJson(ERROR) })
/** Relative to the address of the document, which may be that of a world. */
const documentOf = (title: string, paths: object) => {
  return { openapi: '3.1.0', info: { title, version: '1' }, servers: [{ url: '.' }], paths }
}

export function controlDocument() {
  const paths: Record<string, Record<string, object>> = {}
  for (const { at, ...described } of Object.values<Action>(ACTIONS)) {
    const [method = '', path = ''] = at.toLowerCase().split(' ')
    const operation = operationOf(`${method}${path.replaceAll('/', '_')}`, described)
    paths[path] = { ...paths[path], [method]: operation }
  }
  const security = [{}, { bearer: [] }]
  const components = { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }
  return { ...documentOf('Control plane of the service sandbox', paths), security, components }
}

const operationOf = (operationId: string, { summary, body }: Omit<Action, 'at'>) => ({
  operationId,
  summary,
  ...(body &&
    (operationId.startsWith('get')
      ? { parameters: Object.keys(fieldsOf(body)).map((name) => ({ name, in: 'query', schema: STRING })) }
      : { requestBody: { required: true, ...asJson(jsonSchema(body)) } })),
  responses: {
    200: { description: 'Done', ...asJson({}) },
    204: { description: 'Done, nothing to tell' },
    400: refusal('A value is not valid; the description names it'),
    401: refusal('The token of --control-token-file is missing'),
    403: refusal('From another site, or with a credential of the service'),
    413: refusal('The body is too large'),
    415: refusal('The body is no JSON'),
    ...(operationId === 'post_verify' && { 409: { description: 'What differs', ...asJson({}) } }),
  },
})

const object = (properties: Record<string, unknown>) => {
  return { type: 'object', required: Object.keys(properties), properties }
}
const parameter = (where: string, name: string, schema: unknown = STRING) => {
  return { name, in: where, required: true, schema }
}
const headers = Object.fromEntries(Object.values(RATE_HEADERS).map((name) => [name, { schema: INTEGER }]))
const limited = (description: string, schema: unknown = ERROR) => {
  return { description, headers, ...asJson(schema) }
}
const read = (operationId: string, summary: string, schema: unknown, more: object = {}) => ({
  operationId,
  summary,
  security: [{ bearer: [] }, { api_key: [] }],
  responses: {
    200: limited('Done', schema),
    400: limited('Two credentials'),
    401: limited('No credential, or a refused one'),
    429: limited('Over a limit of the minute or the month'),
    ...more,
  },
})
const client = { client_id: STRING, client_secret: STRING }
const GRANT = { const: 'authorization_code' }
const EXCHANGE = { grant_type: GRANT, code: STRING, redirect_uri: STRING, ...client }
const REFRESH = { grant_type: { const: 'refresh_token' }, refresh_token: STRING, ...client }
const FORMS = { schema: { oneOf: [object(EXCHANGE), object(REFRESH)] } }
const TOKENS = object({
  access_token: STRING,
  token_type: { const: 'Bearer' },
  expires_in: INTEGER,
  refresh_token: STRING,
})
const CLASS = object({ limit: INTEGER, remaining: INTEGER, reset: INTEGER })

const SERVICE_PATHS = {
  '/oauth2/login': {
    get: {
      operationId: 'authorize',
      summary: 'Starts the authorization of a person (5.3)',
      parameters: [
        ...['client_id', 'redirect_uri', 'state'].map((name) => parameter('query', name)),
        parameter('query', 'response_type', { const: 'code' }),
        parameter('query', 'organization_id', INTEGER),
      ],
      responses: {
        200: { description: 'A page', content: { 'text/html': {} } },
        302: { description: 'Back to the redirect URI, with an error (4.1)' },
        400: { description: 'A page: no such application or redirect URI', content: { 'text/html': {} } },
      },
    },
  },
  '/oauth2/token': {
    post: {
      operationId: 'token',
      summary: 'Exchanges a code, or refreshes (5.3, 5.4)',
      requestBody: { required: true, content: { 'application/x-www-form-urlencoded': FORMS } },
      responses: {
        200: { description: 'The token response (2.1)', ...asJson(TOKENS) },
        400: refusal('RFC 6749 5.2'),
        401: refusal('Client authentication failed'),
        415: refusal('The body is no form'),
        429: refusal('Too many wrong secrets in a minute'),
      },
    },
  },
  '/organizations': { get: read('own_organization', 'The organization of the credential (4.4)', {}) },
  '/organizations/{organization_id}': {
    get: {
      ...read('organization', 'One organization (4.4)', {}, { 404: limited('Unknown, or of others') }),
      parameters: [parameter('path', 'organization_id', INTEGER)],
    },
  },
  '/rate_limit': {
    get: read('rate_limit', 'The rate-limit record (2.2)', object({ get: CLASS, update: CLASS })),
  },
}

/** The service as its document has it, at the default of every choice. */
export const serviceDocument = (apiKeyHeader: string) => ({
  ...documentOf('Task and project management service', SERVICE_PATHS),
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      api_key: { type: 'apiKey', in: 'header', name: apiKeyHeader },
    },
  },
})
