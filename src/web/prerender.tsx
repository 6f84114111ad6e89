/** The page as it is before its script runs, for the server to send: drawn by the same components. */
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { OrganizationId } from '../contract/organization.ts'
import type { SignedIn, SignedOut } from '../contract/session.ts'
import { Footer } from './footer.tsx'
import { Page } from './page.tsx'
import { createQueryClient } from './query.ts'
import { SignIn } from './sign-in.tsx'
import { SkipLink } from './skip-link.tsx'
import { type Language, LANGUAGES, setSentenceGap } from './text/language.ts'
import { loadLanguage, loadSignedInText, text } from './text/text.ts'
import { Waiting } from './waiting.tsx'

export interface Prerendered {
  /** What is in the root of each document. */
  pages: Record<'waiting' | 'side' | 'sign-in' | 'page', string>
  title: string
}

/** By language. @param session the answer to those who are not signed in */
export async function prerender(session: SignedOut): Promise<Record<Language, Prerendered>> {
  const found: [string, Prerendered][] = []
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    await loadLanguage(language, setSentenceGap)
    await loadSignedInText()
    found.push([language, asInBrowser(new URL(session.authorize.redirect_uri), () => draw(session))])
  }
  return Object.fromEntries(found) as Record<Language, Prerendered>
}

/** Of a session the page shows nothing before it has asked. */
const UNKNOWN = {
  signed_in: true,
  id: '',
  method: '' as never,
  organization_id: '\u00a0' as OrganizationId,
  ends_in: 0,
} satisfies Omit<SignedIn, 'authorize'>

function draw(session: SignedOut): Prerendered {
  const client = createQueryClient(() => {})
  const page = (
    <QueryClientProvider client={client}>
      <Page session={{ ...UNKNOWN, authorize: session.authorize }} place={{ name: 'home' }} />
    </QueryClientProvider>
  )
  const waiting = withFrame(<Waiting />)
  return {
    pages: {
      waiting,
      side: waiting,
      'sign-in': withFrame(<SignIn session={session} />),
      page: withoutStyles(withFrame(page)),
    },
    title: text().signIn.title,
  }
}

/** The policy allows no style attribute; what is hidden stays so. */
const withoutStyles = (html: string): string =>
  html.replaceAll(' style="visibility:hidden"', ' data-hidden=""').replaceAll(/ style="[^"]*"/g, '')

const withFrame = (page: ReactNode): string =>
  renderToStaticMarkup(
    <>
      <SkipLink />
      <noscript>
        <p>{text().app.noScript}</p>
      </noscript>
      {page}
      <Footer />
    </>,
  )

/** What the components read of a browser is there while they are drawn, and gone before anything else runs. */
function asInBrowser<Result>({ origin }: URL, work: () => Result): Result {
  const parts = {
    location: { origin, pathname: '/', search: '', hash: '' },
    history: { state: null },
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
