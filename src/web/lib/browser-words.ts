import { coarseParts } from '../../contract/chosen-name.ts'
import { words } from '../text/text.ts'

/** A chosen name as it is; a coarse one, such as `Firefox on Linux`, in the language of the page. */
export function browserWords(name: string): string {
  const parts = coarseParts(name)
  if (parts === undefined) return name
  const t = words().sessions
  const { browser, system } = parts
  if (browser === undefined) return t.anotherBrowser
  return system === undefined ? browser : t.browserOn(browser, system)
}
