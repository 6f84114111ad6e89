/** The request that a handler gets, and the functions with which it answers. */
import { tryDecode } from 'hono/utils/url'
import { Answer, HeaderFields, type Inbound } from '../../contract/answer.ts'
import type { Variables } from '../state/context.ts'

export type Answered = Answer | Promise<Answer>
/** Answers, or passes the request on to the next handler and completes its answer. */
export type Handler = (c: HandlerContext, next: () => Promise<void>) => Answered | Promise<Answer | void>

/** RFC 9110 5.5. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const decoder = new TextDecoder()

export class HandlerRequest {
  readonly raw: Inbound
  /** The path below the base path, as it was sent. */
  readonly path: string
  readonly #id: string | undefined
  #url: URL | undefined
  #body: Uint8Array | undefined

  constructor(raw: Inbound, { path, id }: { path: string; id: string | undefined }) {
    this.raw = raw
    this.path = path
    this.#id = id
  }

  /** Parsed only if a handler needs more than the path. */
  get url(): URL {
    return (this.#url ??= new URL(this.raw.url))
  }

  /** With its question mark, or '' if there is none. */
  get search(): string {
    return this.raw.url.includes('?') ? this.url.search : ''
  }

  get method(): string {
    return this.raw.method
  }

  /** The last segment of the path, if its route has an id there. */
  get id(): string | undefined {
    return this.#id === undefined ? undefined : tryDecode(this.#id, decodeURIComponent)
  }

  header(name: string): string | undefined {
    return this.raw.headers.get(name) ?? undefined
  }

  keepBody(body: Uint8Array): void {
    this.#body = body
  }

  /** '' if no body was read. */
  text(): string {
    return decoder.decode(this.#body)
  }
}

export class HandlerContext {
  readonly req: HandlerRequest
  /** True if the path has a route of its own. */
  readonly isRouted: boolean
  /** The error of the newest answer. */
  error: Error | undefined
  readonly #variables: Partial<Variables> = {}
  readonly #headers = new HeaderFields()
  #answer: Answer | undefined

  constructor(req: HandlerRequest, isRouted: boolean) {
    this.req = req
    this.isRouted = isRouted
  }

  get<Name extends keyof Variables>(name: Name): Variables[Name] {
    return this.#variables[name] as Variables[Name]
  }

  set<Name extends keyof Variables>(name: Name, value: Variables[Name]): void {
    this.#variables[name] = value
  }

  get isAnswered(): boolean {
    return this.#answer !== undefined
  }

  get res(): Answer {
    if (this.#answer === undefined) throw new Error('No handler has answered')
    return this.#answer
  }

  set res(answer: Answer) {
    this.#answer = answer
  }

  /** Applies to the next answer. @throws TypeError for a value that no field can have */
  header(name: string, value: string): void {
    if (!FIELD_VALUE.test(value)) throw new TypeError(`${name} cannot have this value`)
    this.#headers.set(name, value)
  }

  body(body: string | null, status = 200, headers: Record<string, string> = {}): Answer {
    const fields = new HeaderFields(headers)
    for (const [name, value] of this.#headers) fields.append(name, value)
    return new Answer(status, fields, body)
  }

  json(value: unknown, status = 200): Answer {
    return this.body(JSON.stringify(value), status, { 'Content-Type': 'application/json' })
  }

  /** Encodes the address if a header field cannot hold it. */
  redirect(address: string, status: number): Answer {
    // eslint-disable-next-line no-control-regex
    this.header('Location', /[^\x00-\xff]/.test(address) ? encodeURI(address) : address)
    return this.body(null, status)
  }
}
