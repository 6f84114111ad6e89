import { app } from './app.ts'
import { time } from './time.ts'

export const shared = { app, time }
