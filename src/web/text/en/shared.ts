import { app } from './app.ts'
import { callback } from './callback.ts'
import { guide } from './guide.ts'
import { notice } from './notice.ts'
import { open } from './open.ts'
import { preferences } from './preferences.ts'
import { problem } from './problem.ts'
import { reason } from './reason.ts'
import { shortcuts } from './shortcuts.ts'
import { signIn } from './sign-in.ts'
import { time } from './time.ts'

export const shared = {
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
