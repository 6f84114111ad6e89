// The only place that knows where Firefox is, and which tests run in it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { IS_WHOLE } from '../browser/_extent.ts'

const NAMES = ['firefox-esr', 'firefox']
const TESTS = 'test/browser'

/** $FIREFOX, or an installed Firefox. */
export function findFirefox(): string | undefined {
  const installed = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [process.env.FIREFOX ?? '', ...installed].find((file) => existsSync(file))
}

/** The test files that open a page, or the one that reports that there is no Firefox. Those of many pages run here in the whole run only. */
export function firefoxTests(): string[] {
  if (findFirefox() === undefined) return ['test/firefox/missing.test.ts']
  return readdirSync(TESTS)
    .map((name) => `${TESTS}/${name}`)
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => {
      const source = readFileSync(file, 'utf8')
      const isOfMany = /_extent\.ts|_states\.ts/.test(source)
      return isOfMany ? IS_WHOLE : /_browser\.ts|openBrowser/.test(source)
    })
}
