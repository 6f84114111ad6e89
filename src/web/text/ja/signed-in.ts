import type { SignedInText } from '../dictionary.ts'
import { alert } from './alert.ts'
import { burnDown } from './burn-down.ts'
import { header } from './header.ts'
import { minute } from './minute.ts'
import { month } from './month.ts'
import { organization } from './organization.ts'
import { page } from './page.ts'
import { press } from './press.ts'
import { readings } from './readings.ts'
import { record } from './record.ts'
import { sessionEnding } from './session-ending.ts'
import { status } from './status.ts'

export const signedIn: SignedInText = {
  alert,
  burnDown,
  header,
  minute,
  month,
  organization,
  page,
  press,
  readings,
  record,
  sessionEnding,
  status,
}
