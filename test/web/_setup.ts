// The only place that prepares the simulated browser of the web tests.
import '@testing-library/jest-dom/vitest'
import { onlineManager } from '@tanstack/react-query'
import { cleanup, configure } from '@testing-library/react'
import { Headers, Request, Response } from 'undici'
import { afterEach, vi } from 'vitest'
import { sendAs } from '../../src/web/lib/api.ts'
import { PATIENCE_MS } from '../kit/until.ts'
import { addPopovers } from './_popover.ts'
import { loadLanguage, loadWords } from '../../src/web/text/text.ts'

// The bff and the sandbox run here too and need Node's classes: those of the simulated browser drop headers.
Object.assign(globalThis, { Headers, Request, Response, fetch: refuse })

/** No test reaches a socket. A request that a page sends after the end of its test fails here. */
function refuse(): Promise<never> {
  return Promise.reject(new TypeError('There is no network in the web tests.'))
}
// The files of a worker share the simulated browser, and a test may have left it at another address.
;(window as unknown as { happyDOM: { setURL: (url: string) => void } }).happyDOM.setURL(
  'http://localhost:3000/',
)

addPopovers()
configure({ asyncUtilTimeout: PATIENCE_MS })
await loadLanguage('en')
await loadWords('home')
await loadWords('pages')

afterEach(() => {
  cleanup()
  // A test may end offline, and the files of a worker share the library.
  onlineManager.setOnline(true)
  Object.assign(document.documentElement, { hidden: false, inert: false })
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  sessionStorage.clear()
  localStorage.clear()
  sendAs(undefined)
})
