import type { SharedText } from '../dictionary.ts'
import { app } from './app.ts'
import { preferences } from './preferences.ts'
import { reason } from './reason.ts'
import { shortcuts } from './shortcuts.ts'
import { time } from './time.ts'

export const shared: SharedText = { app, preferences, reason, shortcuts, time }
