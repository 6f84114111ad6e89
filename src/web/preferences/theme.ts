/** The theme of the page: the person's choice, or the system's. A script in index.html sets it before the first paint. */
import { storedChoice, storeChoice } from './stored-choice.ts'

export type Theme = 'light' | 'dark'
const isTheme = (name: string): name is Theme => name === 'light' || name === 'dark'

/** What the person has chosen in this browser; absent: the system decides. */
export const storedTheme = (): Theme | undefined => storedChoice('theme', isTheme)
export const storeTheme = (theme: Theme | undefined): void => storeChoice('theme', theme)

/** Shows the page, and the browser's bars around it, in a theme. */
export function applyTheme(theme: Theme | undefined): void {
  const { dataset } = document.documentElement
  if (theme === undefined) delete dataset['theme']
  else dataset['theme'] = theme
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
    const of = meta.getAttribute('data-theme')
    // oxlint-disable-next-line plimsoll/texts-in-dictionaries -- a media query
    const isShown = theme === of ? 'all' : 'not all'
    meta.setAttribute('media', theme === undefined ? `(prefers-color-scheme: ${of})` : isShown)
  }
}
