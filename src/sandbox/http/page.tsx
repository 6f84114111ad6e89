/** @jsxImportSource hono/jsx */
/** The frame of every page, and its security headers. No page needs a script. */
import { html } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { Answer } from '../../contract/answer.ts'
import type { Person } from '../state/seed.ts'
import type { DeepReadonly } from '../state/state.ts'
import type { Answered, HandlerContext } from './handler-context.ts'
import { renderSynchronously } from './synchronous-jsx.ts'

renderSynchronously()

interface PageOptions {
  title: string
  status?: number
  person?: DeepReadonly<Person> | undefined
  /** A redirect URI to which a form of the page can lead. */
  redirectUri?: string
  /** Further stylesheets, below {base_url}. */
  styles?: readonly string[]
  /** At the right of the header. */
  links?: readonly HeaderLink[]
}

interface HeaderLink {
  text: string
  href: string
}

/** The load line: a circle with a line through it, as in the app. */
const Mark = ({ color = 'currentColor' }: { color?: string }) => (
  <svg
    xmlns="http://www.w3.org/2000/svg"
    class="mark"
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

/** Has a fixed colour. */
export const markFile = async (): Promise<string> => String(await html`${<Mark color="#0072b2" />}`)

/** Relative: works under a path that a proxy strips. @param path below {base_url}, without a first slash */
export function linkTo(c: HandlerContext, path: string): string {
  const { pathname } = c.req.url
  // This is the start page under a base path, without the slash at the end.
  if (!pathname.endsWith('/') && c.req.path === '/')
    return `${pathname.slice(pathname.lastIndexOf('/') + 1)}/${path}`
  const depth = c.req.path.split('/').length - 2
  return `${depth > 0 ? '../'.repeat(depth) : './'}${path}`
}

/** The page cannot be framed (RFC 6749 10.13, RFC 9700 4.16) or send a referrer (RFC 9700 4.2.4). */
export function writePage(
  c: HandlerContext,
  { title, status = 200, person, redirectUri, styles = [], links = [] }: PageOptions,
  content: Child,
): Answered {
  c.header('Content-Security-Policy', contentSecurityPolicy(redirectUri))
  c.header('X-Frame-Options', 'DENY')
  c.header('Referrer-Policy', 'no-referrer')
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Service sandbox`}</title>
        <link rel="icon" type="image/svg+xml" href={linkTo(c, 'mark.svg')} />
        {['style.css', ...styles].map((path) => (
          <link key={path} rel="stylesheet" href={linkTo(c, path)} />
        ))}
      </head>
      <body>
        <aside class="notice" aria-label="Notice">
          <strong>Sandbox.</strong> It replaces the service on this machine. Nothing here is real.
        </aside>
        <Header c={c} person={person} links={links} />
        <main>{content}</main>
      </body>
    </html>
  )
  return answerHtml(c, html`<!doctype html>${page}`, status)
}

const answerHtml = async (
  c: HandlerContext,
  text: ReturnType<typeof html>,
  status: number,
): Promise<Answer> => c.body(String(await text), status, { 'Content-Type': 'text/html; charset=UTF-8' })

const Header = ({
  c,
  person,
  links,
}: Pick<PageOptions, 'person'> & { c: HandlerContext; links: readonly HeaderLink[] }) => (
  <header>
    <a class="home" href={linkTo(c, '')}>
      <Mark />
      Service sandbox
    </a>
    {links.length > 0 && (
      <nav class="links" aria-label="Other pages">
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
        <button class="link" name="person_id" value="">
          Sign out
        </button>
      </form>
    )}
  </header>
)

/** @param redirectUri an allowed address, because Chromium applies `form-action` to redirects after a form */
function contentSecurityPolicy(redirectUri: string | undefined): string {
  const target = redirectUri === undefined ? undefined : new URL(redirectUri)
  // A private-use scheme has no origin (RFC 8252 7.1).
  const redirectSource =
    target === undefined ? '' : ` ${target.origin === 'null' ? target.protocol : target.origin}`
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `form-action 'self'${redirectSource}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}
