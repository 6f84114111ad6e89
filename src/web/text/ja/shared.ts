import type { SharedText } from '../dictionary.ts'
import { app } from './shared/app.ts'
import { callback } from './shared/callback.ts'
import { guide } from './shared/guide.ts'
import { notice } from './shared/notice.ts'
import { open } from './shared/open.ts'
import { preferences } from './shared/preferences.ts'
import { problem } from './shared/problem.ts'
import { reason } from './shared/reason.ts'
import { shortcuts } from './shared/shortcuts.ts'
import { signIn } from './shared/sign-in.ts'
import { time } from './shared/time.ts'

export const shared: SharedText = {
  app,
  callback,
  guide,
  notice,
  open,
  preferences,
  problem,
  reason,
  shortcuts,
  signIn,
  time,
}
