/** Requests and answers without the streams of the fetch API, which cost more than the work. */

import { isPushed, type PushedBody, readableOf } from './pushed-body.ts'

/** The part of a `Request` that a handler reads. */
export interface Inbound {
  readonly method: string
  readonly url: string
  readonly headers: Pick<Headers, 'get'>
  readonly body: AsyncIterable<Uint8Array> | null
}

/** The path without its query; `/` for a text that is no address. Expects a normalized address. */
export const pathOf = ({ url }: Pick<Inbound, 'url'>): string => PATH.exec(url)?.[1] ?? '/'

const PATH = /^https?:\/\/[^/?#]+([^?#]*)/

/** The header fields of an answer in their order. A name may occur more than once, like `Set-Cookie`. */
export class HeaderFields {
  #fields: [name: string, value: string][]

  constructor(fields: Readonly<Record<string, string>> = {}) {
    this.#fields = Object.entries(fields)
  }

  append(name: string, value: string): void {
    this.#fields.push([name, value])
  }

  /** Replaces all fields of the name, in any case (RFC 9110 5.1). */
  set(name: string, value: string): void {
    this.delete(name)
    this.append(name, value)
  }

  delete(name: string): void {
    this.#fields = this.#fields.filter(([known]) => !isSame(known, name))
  }

  /** All values of a name, joined (RFC 9110 5.3); `null` if there is none. */
  get(name: string): string | null {
    let all: string | null = null
    for (const [known, value] of this.#fields)
      if (isSame(known, name)) all = all === null ? value : `${all}, ${value}`
    return all
  }

  [Symbol.iterator](): Iterator<readonly [name: string, value: string]> {
    return this.#fields[Symbol.iterator]()
  }
}

const isSame = (a: string, b: string): boolean =>
  a === b || (a.length === b.length && a.toLowerCase() === b.toLowerCase())

/** Adds header fields to the answer of a handler, even if the handler throws. */
export type AddedFields = Pick<Headers, 'append' | 'set'>

type Body = string | Uint8Array<ArrayBuffer> | PushedBody | null

export class Answer {
  readonly status: number
  readonly headers: HeaderFields
  readonly body: Body

  constructor(status: number, headers: HeaderFields, body: Body = null) {
    this.status = status
    this.headers = headers
    this.body = body
  }

  /** @param body is JSON already */
  static jsonText(body: string, status = 200): Answer {
    return new Answer(status, new HeaderFields({ 'Content-Type': 'application/json' }), body)
  }

  static json(value: unknown, status = 200): Answer {
    return Answer.jsonText(JSON.stringify(value), status)
  }

  /** 204 (RFC 9110 15.3.5). */
  static noContent(headers = new HeaderFields()): Answer {
    return new Answer(204, headers)
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  static async of(response: Response): Promise<Answer> {
    const body = response.body === null ? null : new Uint8Array(await response.arrayBuffer())
    const fields = new HeaderFields()
    for (const [name, value] of response.headers) fields.append(name, value)
    return new Answer(response.status, fields, body)
  }

  toResponse(): Response {
    const headers = [...this.headers].map(([name, value]): [string, string] => [name, value])
    return new Response(isPushed(this.body) ? readableOf(this.body) : this.body, {
      status: this.status,
      headers,
    })
  }

  text(): Promise<string> {
    return this.toResponse().text()
  }

  json(): Promise<unknown> {
    return this.toResponse().json()
  }
}
