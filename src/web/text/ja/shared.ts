import type { SharedText } from '../dictionary.ts'
import { app } from './app.ts'
import { callback } from './callback.ts'
import { guide } from './guide.ts'
import { notice } from './notice.ts'
import { problem } from './problem.ts'
import { reason } from './reason.ts'
import { signIn } from './sign-in.ts'
import { time } from './time.ts'

export const shared: SharedText = { app, callback, guide, notice, problem, reason, signIn, time }
