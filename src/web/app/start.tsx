/** Takes over the page that the server drew, or draws it. */
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { type Boot, BOOT_ID } from '../../contract/boot.ts'
import { isForStrangers, placeOf } from '../../contract/page.ts'
import { sendAs } from '../lib/api.ts'
import { startClock } from '../lib/clock.ts'
import { late, nextTask } from '../lib/late.ts'
import { useUi } from '../lib/ui.ts'
import { startBuild } from '../lib/upgrade.ts'
import { storeChoices, preferences, startPreferences } from '../preferences/preferences.ts'
import { lastOrganizations } from '../session/last-organizations.ts'
import { arrival, askSession } from '../session/session.ts'
import { failedSignIn } from '../sign-in/failure.tsx'
import { formatAsBrowser, formatAsServer, ownZone } from '../text/format.ts'
import { languageOfChoice } from '../text/languages.ts'
import { loadLanguage } from '../text/text.ts'
import { App, type FirstScreen, loadSignedIn } from './app.tsx'

declare global {
  /** The button that a person pressed last, before the page could answer: public/early.js keeps it. */
  var plimsollPressed: HTMLElement | undefined
  /** Says that the page could not be loaded, from the same file. */
  var plimsollFailed: () => void
}

/** @returns what it drew. Rejects if its words or its screen cannot be loaded */
export async function start(root: Element): Promise<Root> {
  await nextTask()
  const boot = readBoot()
  const isOwn = hasOwn()
  startBuild(boot?.build)
  boot?.sheets?.forEach(noteSheet)
  startPreferences()
  // The page of an organization shows nothing of it.
  const isDrawn = boot?.isDrawn === true && (boot.session?.signed_in === true || !isOwn)
  if (isDrawn) formatAsServer(boot.zone)
  const [first, zone] = await Promise.all([prepare(boot), nextTask().then(ownZone)])
  storeChoices({ zone, isOwn })
  const onDrawn = (): void => {
    document.documentElement.dataset['ready'] = ''
    formatAsBrowser(zone)
    if (isDrawn && boot.zone !== zone) useUi.setState({ zone })
    document.addEventListener('visibilitychange', followZone)
    repeatPress()
  }
  const page = (
    <StrictMode>
      <App {...first} onDrawn={onDrawn} />
    </StrictMode>
  )
  let drawn: Root | undefined
  // A transition renders in steps, so the browser answers input in between.
  startTransition(() => {
    drawn = isDrawn ? hydrateRoot(root, page) : createRoot(root)
    if (!isDrawn) drawn.render(page)
  })
  return drawn as unknown as Root
}

/** What the server drew the document from. A page without it, as in development, asks for everything. */
function readBoot(): Boot | undefined {
  const json = document.getElementById(BOOT_ID)?.textContent
  return json ? (JSON.parse(json) as Boot) : undefined
}

/** The sign-in page has something to say that only this browser knows. */
const hasOwn = (): boolean =>
  lastOrganizations().length > 0 || failedSignIn() !== undefined || arrival().ended !== undefined

/** Rejects if the texts or the screen cannot be loaded. */
async function prepare(boot: Boot | undefined): Promise<FirstScreen> {
  const atMs = arrivedAt()
  if (boot?.nowMs !== undefined) startClock(atMs, boot.nowMs)
  const language = languageOfChoice(boot?.language ?? preferences.getState().language)
  const isLate = isWithoutSession()
  // The screen itself shows a failure.
  if (isLate) void loadSignedIn().catch(() => {})
  const [asked] = await Promise.all([
    isLate ? undefined : whoIs(boot),
    late(loadLanguage(language, boot?.locale)),
  ])
  if (!(asked && 'signed_in' in asked && asked.signed_in)) return { asked }
  const { createClient } = await loadSignedIn()
  return { asked, client: createClient(asked, boot?.quota, atMs) }
}

const whoIs = async (boot: Boot | undefined) => {
  if (boot?.session === undefined) return askSession()
  sendAs(boot.session)
  // It loads beside the words.
  if (boot.session.signed_in) void loadSignedIn().catch(() => {})
  return boot.session
}

/** The callback asks later. */
function isWithoutSession(): boolean {
  const place = placeOf(location.pathname)
  return place.name === 'callback' || isForStrangers(place)
}

/** The document has these styles. A disabled link keeps Vite from loading them again with late modules. */
function noteSheet(href: string): void {
  const link = document.createElement('link')
  link.setAttribute('disabled', '')
  link.rel = 'stylesheet'
  link.setAttribute('href', href)
  document.head.append(link)
}

/** When the document came, by this computer's clock. */
function arrivedAt(): number {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return Date.now() - Math.max(0, performance.now() - (navigation?.responseStart ?? performance.now()))
}

/** A person may have travelled while the page was hidden. */
function followZone(): void {
  if (document.hidden) return
  const zone = ownZone()
  storeChoices({ zone })
  formatAsBrowser(zone)
  useUi.setState({ zone })
}

/** A form has what was typed into it only after the next drawing. */
function repeatPress(): void {
  const pressed = globalThis.plimsollPressed
  globalThis.plimsollPressed = undefined
  if (pressed?.isConnected) setTimeout(() => pressed.click())
}
