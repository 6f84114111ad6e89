// The only place that knows where Firefox is, and which tests run in it.
import { readdirSync, readFileSync } from 'node:fs'
import { findProgram } from '../kit/program.ts'
import { IS_WHOLE } from '../_extent.ts'

const NAMES = ['firefox-esr', 'firefox']
const TESTS = 'test/browser'

/** $FIREFOX, or an installed Firefox. */
export const findFirefox = (): string | undefined => findProgram(NAMES, process.env.FIREFOX)

/** From the sign-in to the back button after the sign-out; the others run here only in the whole run. */
const IN_EACH_RUN = `${TESTS}/journey.test.ts`

/** The test files that open a page; none without a Firefox. */
export function firefoxTests(): string[] {
  if (findFirefox() === undefined) return []
  if (!IS_WHOLE) return [IN_EACH_RUN]
  return readdirSync(TESTS)
    .map((name) => `${TESTS}/${name}`)
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) =>
      /kit\/browser\.ts|_states\.ts|openBrowser|openSignedIn/.test(readFileSync(file, 'utf8')),
    )
}
