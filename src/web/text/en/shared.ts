import { app } from './app.ts'
import { reason } from './reason.ts'
import { time } from './time.ts'

export const shared = { app, reason, time }
