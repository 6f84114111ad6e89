import { alert } from './signed-in/alert.ts'
import { burnDown } from './signed-in/burn-down.ts'
import { header } from './signed-in/header.ts'
import { minute } from './signed-in/minute.ts'
import { month } from './signed-in/month.ts'
import { organization } from './signed-in/organization.ts'
import { page } from './signed-in/page.ts'
import { press } from './signed-in/press.ts'
import { readings } from './signed-in/readings.ts'
import { sessionEnding } from './signed-in/session-ending.ts'
import { status } from './signed-in/status.ts'

export const signedIn = {
  alert,
  burnDown,
  header,
  minute,
  month,
  organization,
  page,
  press,
  readings,
  sessionEnding,
  status,
}
