/** A user's browser at the service's own pages: follows redirects, signs in, presses buttons. */
import { APP, type Context } from './context.ts'

export type Arrival =
  | { at: 'callback'; method: string; url: URL }
  /** The browser is at a page of the service without a way on, or at no page at all. */
  | { at: 'service'; why: string }

export interface Visitor {
  person: string
  decision: 'Permit' | 'Deny' | 'Revoke'
}

interface Page {
  url: URL
  status: number
  /** The value of the Refresh header. */
  refresh: string
  html: string
}

const MOST_STEPS = 12

export class ServiceBrowser {
  readonly #cookies = new Map<string, string>()
  readonly #context: Context

  constructor(context: Context) {
    this.#context = context
  }

  async follow(start: URL, { person, decision }: Visitor): Promise<Arrival> {
    let next: { url: URL; method: string; body?: URLSearchParams } | undefined = { url: start, method: 'GET' }
    let seen = 'no page at all'
    for (let steps = 0; next !== undefined && steps < MOST_STEPS; steps += 1) {
      if (next.url.origin === APP) return { at: 'callback', method: next.method, url: next.url }
      const answer = await this.#fetch(next)
      if (answer === undefined) return { at: 'service', why: 'no answer' }
      if (answer.location !== undefined) {
        // 307 and 308 keep the method and the form (RFC 9110 15.4.8); all others become a GET.
        const again: boolean = answer.status === 307 || answer.status === 308
        next = {
          url: new URL(answer.location, next.url),
          method: again ? next.method : 'GET',
          ...(again && next.body && { body: next.body }),
        }
        continue
      }
      const page: Page = { url: next.url, ...answer }
      seen = `${page.status} ${/<h1[^>]*>(.*?)<\/h1>/s.exec(page.html)?.[1]?.replaceAll(/<[^>]+>|\s+/g, ' ') ?? ''}`
      next = moved(page) ?? press(page, decision) ?? press(page, person) ?? pick(page)
    }
    return { at: 'service', why: seen.trim() }
  }

  async #fetch({ url, method, body }: { url: URL; method: string; body?: URLSearchParams }) {
    const headers = new Headers()
    if (this.#cookies.size > 0)
      headers.set('Cookie', [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await this.#context.browse(
      new Request(url, { method, headers, redirect: 'manual', ...(body && { body }) }),
    )
    if (response === undefined) return undefined
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      this.#cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = response.headers.get('Location') ?? undefined
    const refresh = response.headers.get('Refresh') ?? ''
    return { status: response.status, location, refresh, html: await response.text() }
  }
}

/** The address of a page that moves on by itself. */
function moved({ url, refresh }: Page): { url: URL; method: string } | undefined {
  const target = /url=(.*)$/i.exec(refresh)?.[1]
  return target ? { url: new URL(target, url), method: 'GET' } : undefined
}

/** Presses the button whose text begins with `label`, with the hidden fields of its form. */
function press({ url, html }: Page, label: string) {
  for (const [, attributes = '', inside = ''] of html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
    const button = buttons(inside).find(({ text }) => text.startsWith(label))
    if (button) return submit(url, attributes, inside, button.tag)
  }
  return undefined
}

/** On a page that asks for the organization: chooses the first one. */
function pick({ url, html }: Page) {
  if (!/organization/i.test(html)) return undefined
  for (const [, attributes = '', inside = ''] of html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
    const button = buttons(inside).find(({ tag }) => attribute(tag, 'name') === 'organization_id')
    if (button) return submit(url, attributes, inside, button.tag)
  }
  const link = [...html.matchAll(/<a[^>]*>/g)].find(([tag]) =>
    /oauth2\/login\?.*organization_id=/.test(attribute(tag, 'href') ?? ''),
  )
  return link && { url: new URL(attribute(link[0], 'href') ?? '', url), method: 'GET' }
}

const buttons = (inside: string) =>
  [...inside.matchAll(/<button([^>]*)>(.*?)<\/button>/gs)].map(([, tag = '', text = '']) => ({
    tag,
    text: text.replaceAll(/<[^>]+>/g, ' ').trim(),
  }))

function submit(url: URL, attributes: string, inside: string, button: string) {
  const body = new URLSearchParams()
  for (const tag of [
    ...[...inside.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([tag]) => tag),
    button,
  ]) {
    const name = attribute(tag, 'name')
    if (name !== undefined) body.append(name, attribute(tag, 'value') ?? '')
  }
  return { url: new URL(attribute(attributes, 'action') ?? url.href, url), method: 'POST', body }
}

const ENTITIES: Record<string, string> = { amp: '&', quot: '"', '#39': "'", lt: '<', gt: '>' }
const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`)
    .exec(tag)?.[1]
    ?.replaceAll(/&(amp|quot|#39|lt|gt);/g, (_, entity: string) => ENTITIES[entity] ?? '')
