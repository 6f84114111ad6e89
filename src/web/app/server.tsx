/** Draws the documents that the server sends, with the page itself: the browser takes the same over. */
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import type { Boot, Drawn, View } from '../../contract/boot.ts'
import { isZone } from '../../contract/choices.ts'
import { Centre } from '../components/centre.tsx'
import { startClock } from '../lib/clock.ts'
import { drawAt } from '../lib/router.ts'
import { startPreferences } from '../preferences/preferences.ts'
import { formatAsServer } from '../text/format.ts'
import { languageOfChoice, localeOf } from '../text/languages.ts'
import { type ServerText, SERVER_TEXT } from '../text/server.ts'
import { loadAll, putInUse, text } from '../text/text.ts'
import { App, type FirstScreen, loadSignedIn } from './app.tsx'

await loadAll()
const { createClient } = await loadSignedIn()

/** Everything that it sets for the drawing is set anew for the next one: nothing waits in between. */
export function draw({ kind, path, languages, choices, ...known }: View): Drawn {
  const language = languageOfChoice(choices.language, languages)
  const locale = localeOf(language, languages)
  putInUse(language, locale)
  const zone = choices.zone !== undefined && isZone(choices.zone) ? choices.zone : undefined
  formatAsServer(zone)
  startPreferences(choices)
  const { noScript, failure } = SERVER_TEXT[language]
  const isDrawn = kind === 'sign-in' || kind === 'page'
  const boot: Boot = { language, locale, ...(isDrawn && { zone }), theme: choices.theme, isDrawn, ...known }
  return {
    root: drawApp(boot, path),
    boot,
    title: kind === 'sign-in' ? `${text().signIn.title} · Plimsoll` : 'Plimsoll',
    failure: renderToStaticMarkup(<Failure {...failure} />),
    noScript: renderToStaticMarkup(<NoScript {...noScript} />),
  }
}

/** A page that the browser must draw itself says that it is opening. */
function drawApp({ isDrawn, session, quota, nowMs = 0 }: Boot, path: string): string {
  startClock(nowMs, nowMs)
  drawAt(isDrawn ? path : '/')
  const first: FirstScreen = isDrawn ? { asked: session } : {}
  if (isDrawn && session?.signed_in) first.client = createClient(session, quota, nowMs)
  return renderToString(<App {...first} />)
}

const Failure = ({ title, message, reload }: ServerText['failure']) => (
  <Centre title={title}>
    <p role="alert">{message}</p>
    <button type="button" data-kind="primary">
      {reload}
    </button>
  </Centre>
)

const NoScript = ({ title, message }: ServerText['noScript']) => (
  <Centre title={title}>
    <p>{message}</p>
  </Centre>
)
