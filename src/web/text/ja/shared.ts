import type { SharedText } from '../dictionary.ts'
import { app } from './app.ts'
import { time } from './time.ts'

export const shared: SharedText = { app, time }
