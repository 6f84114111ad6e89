import type { SharedText } from '../dictionary.ts'
import { app } from './app.ts'
import { reason } from './reason.ts'
import { time } from './time.ts'

export const shared: SharedText = { app, reason, time }
