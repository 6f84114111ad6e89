// The only place that knows where WebKit, its driver and its display are.
import { readdirSync } from 'node:fs'
import { findProgram } from '../kit/program.ts'

const LIBRARIES = '/usr/lib'

export interface WebKit {
  driver: string
  browser: string
  /** A display without a screen: WebKitGTK has no mode without one. */
  display: string
}

/** An installed WebKitGTK with its driver; `undefined` if a part is missing. */
export function findWebKit(): WebKit | undefined {
  const driver = findProgram(['WebKitWebDriver'])
  const display = findProgram(['Xvfb'])
  const browser = findProgram(['MiniBrowser'], miniBrowser())
  return driver && display && browser ? { driver, browser, display } : undefined
}

/** Debian has it beside the library: /usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser. */
function miniBrowser(): string | undefined {
  const inside = (folder: string, pattern: RegExp): string[] => {
    try {
      return readdirSync(folder)
        .filter((name) => pattern.test(name))
        .map((name) => `${folder}/${name}`)
    } catch {
      return []
    }
  }
  const [library] = inside(LIBRARIES, /-linux-gnu/).flatMap((folder) => inside(folder, /^webkit2?gtk-/))
  return library && `${library}/MiniBrowser`
}
