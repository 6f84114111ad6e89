/** Draws the pages that the server sends, with the components of the page itself. */
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { OrganizationId } from '../../contract/organization.ts'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import type { Session, SignedIn, SignedOut } from '../../contract/session.ts'
import styles from '../components/app.module.css'
import { Footer } from '../preferences/footer.tsx'
import { Mark } from '../components/icons.tsx'
import { Home } from './home.tsx'
import { createQueryClient } from '../lib/query.ts'
import { openQuota, putQuota } from '../quota/query.ts'
import { SignIn } from '../sign-in/sign-in.tsx'
import signInStyles from '../sign-in/sign-in.module.css'
import { SkipLink } from '../components/skip-link.tsx'
import { OF_ZONE, setServerLocale } from '../text/format.ts'
import { type Language, LANGUAGES } from '../text/languages.ts'
import { loadLanguage, loadWords, putInUse, text } from '../text/text.ts'
import { type ServerText, SERVER_TEXT } from '../text/server.ts'
import { Waiting } from '../components/waiting.tsx'

export interface Prerendered {
  /** The content of the root element of each document. */
  pages: Record<'waiting' | 'side' | 'sign-in' | 'page' | 'posted', string>
  /** The sign-in page where it is known if a code exchange counts. */
  signIn: { yes: string; no: string }
  title: string
  /** The content of the `noscript` element, which then replaces the root. */
  noScript: string
}

/** @param session the answer to a browser that is not signed in */
export async function prerender(session: SignedOut): Promise<Record<Language, Prerendered>> {
  const found: [string, Prerendered][] = []
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    await loadLanguage(language, setServerLocale)
    await loadWords('home')
    found.push([language, asInBrowser(session, () => draw(session, SERVER_TEXT[language]))])
  }
  return Object.fromEntries(found) as Record<Language, Prerendered>
}

/**
 * Texts that depend on the reader's zone are hidden and hold their space. {@link prerender} loads the texts.
 * @returns the content of the root, and a style sheet in place of its style attributes
 */
export function drawPage(
  language: Language,
  { session, quota }: { session: SignedIn; quota: QuotaSnapshot },
): { root: string; sheet: string } {
  putInUse(language, setServerLocale)
  return asInBrowser(session, () => withSheet(drawOf(session, quota)))
}

const UNKNOWN_SESSION = {
  signed_in: true,
  id: '',
  method: '' as never,
  organization_id: '\u00a0' as OrganizationId,
  ends_in: 0,
  plan_page: '',
} satisfies Omit<SignedIn, 'authorize'>

function draw(session: SignedOut, { noScript, posted }: ServerText): Prerendered {
  const waiting = withFrame(<Waiting />)
  return {
    pages: {
      waiting,
      side: waiting,
      'sign-in': signInPage(session),
      posted: renderToStaticMarkup(<Posted {...posted} />),
      page: drawOf({ ...UNKNOWN_SESSION, authorize: session.authorize }).replaceAll(STYLE, ''),
    },
    signIn: {
      yes: signInPage({ ...session, sign_in_counts: 'yes' }),
      no: signInPage({ ...session, sign_in_counts: 'no' }),
    },
    title: text().signIn.title,
    noScript: renderToStaticMarkup(<NoScript {...noScript} />),
  }
}

const signInPage = (session: SignedOut): string => withFrame(<SignIn session={session} />)

/** The answer to a callback by POST: it runs no script. */
function Posted({ title, message }: ServerText['posted']) {
  return (
    <main id="main" className={styles.centre}>
      <Mark size={56} />
      <h1>{title}</h1>
      <p>{message}</p>
      <a href="/">{text().app.goToStart}</a>
    </main>
  )
}

function NoScript({ title, message }: ServerText['noScript']) {
  return (
    <main className={signInStyles.page}>
      <div className={signInStyles.card}>
        <p className={signInStyles.mark}>
          <Mark size={64} />
        </p>
        <h1>Plimsoll</h1>
        <div className={signInStyles.form}>
          <h2>{title}</h2>
          <p>{message}</p>
        </div>
      </div>
    </main>
  )
}

/** The header works at once, and the rest when the script has drawn. */
function drawOf(session: SignedIn, quota?: QuotaSnapshot): string {
  const client = createQueryClient(() => {})
  openQuota(client, { session: session.id })
  if (quota) putQuota(client, quota)
  const home = withFrame(
    <QueryClientProvider client={client}>
      <Home session={session} place={{ name: 'home' }} />
    </QueryClientProvider>,
    null,
  )
  return home.replace(/<main(?= )/, '$& inert')
}

const HIDDEN = ' style="visibility:hidden"'
const STYLE = / style="([^"]*)"/g

/** Replaces style attributes, which the content security policy forbids, by rules. */
function withSheet(html: string): { root: string; sheet: string } {
  const rules: string[] = []
  const root = html.replaceAll(STYLE, (_, style: string) => {
    rules.push(`[data-style="${rules.length}"]{${style}}`)
    return ` data-style="${rules.length - 1}"`
  })
  return { root, sheet: rules.join('') }
}

/** Hides the paragraphs and list items that contain a date. */
const withoutDates = (html: string): string =>
  html
    .replaceAll(new RegExp(`<(p|li)\\b(?=(?:(?!</?(?:p|li)\\b).)*${OF_ZONE})`, 'gs'), '<$1 data-hidden=""')
    .replaceAll(OF_ZONE, '')

const withFrame = (page: ReactNode, footer: ReactNode = <Footer />): string =>
  withoutDates(
    renderToStaticMarkup(
      <>
        <SkipLink />
        {page}
        {footer}
      </>,
    ),
  ).replaceAll(HIDDEN, ' data-hidden=""')

/** Provides the parts of a browser that the components read, only during the work. */
function asInBrowser<Result>({ authorize }: Session, work: () => Result): Result {
  const { origin } = new URL(authorize.redirect_uri)
  const parts = {
    location: { origin, pathname: '/', search: '', hash: '' },
    history: { state: null },
    matchMedia: () => ({ matches: false }),
    navigator: { cookieEnabled: true, onLine: true, languages: [] },
  }
  const before = Object.keys(parts).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  )
  for (const [name, value] of Object.entries(parts))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  try {
    return work()
  } finally {
    for (const [name, descriptor] of before)
      if (descriptor) Object.defineProperty(globalThis, name, descriptor)
      else Reflect.deleteProperty(globalThis, name)
  }
}
