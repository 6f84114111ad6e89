import { test } from 'vitest'
import { IS_WHOLE } from './_extent.ts'

/** Only in the whole run: what it shows in a browser or a process, a cheaper test shows elsewhere. */
export const wholeTest: (name: string, run: () => Promise<void> | void) => void = IS_WHOLE ? test : () => {}
