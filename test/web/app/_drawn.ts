// The only place that makes documents in the web tests: as the server draws them, and put into the simulated browser.
import type { Drawn, View } from '../../../src/contract/boot.ts'
import type { SignedIn, SignedOut } from '../../../src/contract/session.ts'
import { formatAsBrowser } from '../../../src/web/text/format.ts'
import { draw } from '../../../src/web/app/server.tsx'
import { month, snapshot } from '../_snapshot.ts'

export const SIGNED_OUT: SignedOut = {
  signed_in: false,
  authorize: {
    authorization_endpoint: 'https://service.example/oauth/authorize',
    client_id: 'client',
    redirect_uri: 'http://localhost:3000/callback',
  },
}
export const SIGNED_IN: SignedIn = {
  ...SIGNED_OUT,
  signed_in: true,
  id: 'i',
  method: 'oauth',
  organization_id: '1001',
  ends_in: 3600 * 24 * 30,
  plan_page: 'https://service.example/plan?organization_id=1001',
}
export const QUOTA = snapshot({ month: month({ low: 7, high: 9 }) })
/** In the middle of a month, and another day in Honolulu. */
export const NOW_MS = Date.UTC(2026, 10, 21, 5)

/** Draws as on a server, where nothing of a browser is there. */
export function drawn(view: Partial<View>): Drawn {
  const { location, history, window } = globalThis
  Object.assign(globalThis, { location: undefined, history: undefined, window: undefined })
  try {
    return draw({
      kind: 'sign-in',
      path: '/',
      languages: ['en-gb', 'en'],
      choices: {},
      session: SIGNED_OUT,
      ...view,
    })
  } finally {
    Object.assign(globalThis, { location, history, window })
    formatAsBrowser()
  }
}

export const drawnHome = (view: Partial<View> = {}): Drawn =>
  drawn({
    kind: 'page',
    choices: { zone: 'Asia/Tokyo' },
    nowMs: NOW_MS,
    session: SIGNED_IN,
    quota: QUOTA,
    ...view,
  })

export const wordsOf = (html: string): string =>
  html
    .replaceAll(/<!--.*?-->/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
