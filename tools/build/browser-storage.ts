import type { Plugin } from 'vite'

/**
 * The server draws pages with code of the page, and has no storage of a browser. Node 25 and later have
 * globals of the same names, and warn when they are read. Tests keep them: some run their code in a browser.
 */
export function noBrowserStorage(): Plugin {
  return {
    name: 'plimsoll:no-browser-storage',
    apply: 'build',
    configEnvironment: (name) =>
      name === 'ssr' ? { define: { localStorage: 'undefined', sessionStorage: 'undefined' } } : undefined,
  }
}
