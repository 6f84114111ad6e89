/** @jsxImportSource hono/jsx */
/** The frame of every page, with its security headers, and the answer of a refusal, as a page or as JSON. */
import { html } from 'hono/html'
import type { Child } from 'hono/jsx'
import { type Choices, DEFAULT_CHOICES } from '../choices/choices.ts'
import type { Person } from '../state/seed.ts'
import { type Answered, type Handler, type HandlerContext, Refusal, write, writeJson } from './handler.ts'
import STYLE from './style.css?raw'

interface PageOptions {
  title: string
  status?: number
  person?: Person | undefined
  /** Set if a form of the page can lead to a redirect URI. */
  leadsAway?: boolean
  links?: readonly { text: string; href: string }[] | undefined
}

/** The load line: a circle with a line through it, as in the app. */
const Mark = ({ color = 'currentColor' }: { color?: string }) => (
  <svg
    xmlns="http://www.w3.org/2000/svg"
    width="30"
    viewBox="0 0 48 48"
    fill="none"
    stroke={color}
    stroke-width="3"
    aria-hidden="true"
  >
    <circle cx="24" cy="24" r="14" />
    <path d="M2 24h44" stroke-linecap="round" />
  </svg>
)

/** Relative: works under a path that a proxy strips. @param path below {base_url}, without a first slash */
export function linkTo(c: HandlerContext, path: string): string {
  const { pathname } = new URL(c.req.url)
  // This is the start page under a base path, without the slash at the end.
  if (!pathname.endsWith('/') && c.req.path === '/')
    return `${pathname.slice(pathname.lastIndexOf('/') + 1)}/${path}`
  const depth = c.req.path.split('/').length - 2
  return `${depth > 0 ? '../'.repeat(depth) : './'}${path}`
}

/** The page cannot be framed (RFC 6749 10.13, RFC 9700 4.16) or send a referrer (RFC 9700 4.2.4). */
export async function writePage(
  c: HandlerContext,
  { title, status = 200, person, leadsAway = false, links }: PageOptions,
  content: Child,
): Promise<Response> {
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Service sandbox`}</title>
        <link rel="icon" type="image/svg+xml" href={linkTo(c, 'mark.svg')} />
        <link rel="stylesheet" href={linkTo(c, 'style.css')} />
      </head>
      <body>
        <aside aria-label="Notice">
          <strong>Sandbox.</strong> It replaces the service on this machine. Nothing here is real.
        </aside>
        <Header c={c} person={person} links={links} />
        <main>{content}</main>
      </body>
    </html>
  )
  return write(c, status, String(await html`<!doctype html>${page}`), {
    'Content-Type': 'text/html; charset=UTF-8',
    'Content-Security-Policy': contentSecurityPolicy(leadsAway),
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
  })
}

const Header = ({ c, person, links }: Pick<PageOptions, 'person' | 'links'> & { c: HandlerContext }) => (
  <header>
    <a href={linkTo(c, '')}>
      <Mark />
      Service sandbox
    </a>
    {links && (
      <nav aria-label="Other pages">
        {links.map(({ text, href }) => (
          <a key={href} href={href}>
            {text}
          </a>
        ))}
      </nav>
    )}
    {person && (
      <form method="post">
        <span>{person.name}</span>
        <button name="person_id" value="">
          Sign out
        </button>
      </form>
    )}
  </header>
)

export const writeMessage = (c: HandlerContext, options: PageOptions, text: Child, link?: string): Answered =>
  writePage(
    c,
    options,
    <section>
      <h1>{options.title}</h1>
      <p>{text}</p>
      {link !== undefined && (
        <p>
          <a href={linkTo(c, '')}>{link}</a>
        </p>
      )}
    </section>,
  )

/** Browsers apply `form-action` to each redirect after a form, also to those of the application. */
const contentSecurityPolicy = (leadsAway: boolean): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(leadsAway ? [] : ["form-action 'self'"]),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

export const Links = ({ c, id, of }: { c: HandlerContext; id: number | string; of: string }) => (
  <nav aria-label={`Pages of ${of}`}>
    {['Projects', 'Plan', 'Settings'].map((name) => (
      <a key={name} href={linkTo(c, `${name.toLowerCase()}?organization_id=${id}`)}>
        {name}
      </a>
    ))}
  </nav>
)

export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: string | number])[] }) => (
  <dl>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/** The files that the service and its control plane both serve. The log and the limits leave them out. */
export const ASSETS: Record<string, Handler> = {
  '/style.css': (c) => write(c, 200, STYLE, { 'Content-Type': 'text/css; charset=utf-8' }),
  // It has a fixed colour.
  '/mark.svg': async (c) =>
    write(c, 200, String(await html`${<Mark color="#0072b2" />}`), { 'Content-Type': 'image/svg+xml' }),
  '/healthz': (c) => writeJson(c, { status: 'ok' }),
}

/** The cause of an internal error is not in the answer: `onError` gets it. */
export function answerRefusal(error: Error, c: HandlerContext, onError?: (error: Error) => void): Answered {
  const refusal = error instanceof Refusal ? error : new Refusal('server_error')
  if (refusal !== error) onError?.(error)
  for (const [name, value] of Object.entries(refusal.headers)) c.header(name, value)
  const { status, description, code } = refusal
  if (c.get('page')) {
    const text = (
      <>
        {description} <code>{code}</code>
      </>
    )
    const title = status < 500 ? 'The request was refused' : 'The request failed'
    return writeMessage(c, { title, status }, text, 'To the start page')
  }
  // Outside the API it is that of RFC 6749 5.2.
  const { errbody } = c.get('api') ? c.get('context').choices : DEFAULT_CHOICES
  const { type, text } = REFUSAL_BODIES[errbody](refusal)
  return write(c, status, text === '' ? null : text, { 'Content-Type': type })
}

type ErrorContent = Pick<Refusal, 'status' | 'word' | 'description'>
interface Body {
  type: string
  text: string
}

const json = (value: unknown, type = 'application/json'): Body => ({ type, text: JSON.stringify(value) })

const htmlBody = ({ status, description }: ErrorContent): Body => ({
  type: 'text/html; charset=utf-8',
  text: `<!doctype html><title>${status}</title><h1>${status}</h1><p>${description}</p>`,
})

/** The status selects one, so one refusal always has the same body. */
const NOT_JSON: readonly [...((content: ErrorContent) => Body)[]] = [
  htmlBody,
  ({ description }) => ({ type: 'text/plain; charset=utf-8', text: description }),
  () => ({ type: 'application/json', text: '' }),
  ({ word }) => ({ type: 'application/json', text: `{"error":"${word}","error_descr` }),
]

/** The shapes that the body of an API error can have (7, U42). The document shows none. */
export const REFUSAL_BODIES: Record<Choices['errbody'], (content: ErrorContent) => Body> = {
  // RFC 6749 5.2 and 7.2.
  error_description: ({ word, description }) =>
    json({ ...(word && { error: word }), error_description: description }),
  message: ({ description }) => json({ message: description }),
  code_message: ({ word = 'unauthorized', description }) => json({ code: word, message: description }),
  errors_list: ({ word = 'unauthorized', description }) =>
    json({ errors: [{ code: word, message: description }] }),
  // RFC 9457 3.
  problem_json: ({ status, description, word = 'unauthorized' }) =>
    json({ type: 'about:blank', title: word, status, detail: description }, 'application/problem+json'),
  not_json: (content) => (NOT_JSON[content.status % NOT_JSON.length] ?? htmlBody)(content),
}
