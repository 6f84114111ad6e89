/** Leaves out the tests that only Chromium can run. */
import { beforeEach } from 'vitest'
import { ONLY_IN_CHROMIUM } from './only-in-chromium.ts'

beforeEach(({ task, skip }) => skip(task.name in ONLY_IN_CHROMIUM, ONLY_IN_CHROMIUM[task.name]))
