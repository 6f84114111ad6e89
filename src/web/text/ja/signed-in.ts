import type { SignedInText } from '../dictionary.ts'
import { alert } from './alert.ts'
import { burnDown } from './burn-down.ts'
import { header } from './header.ts'
import { learnt } from './learnt.ts'
import { ledger } from './ledger.ts'
import { minute } from './minute.ts'
import { month } from './month.ts'
import { organization } from './organization.ts'
import { organizations } from './organizations.ts'
import { page } from './page.ts'
import { press } from './press.ts'
import { readings } from './readings.ts'
import { record } from './record.ts'
import { sessionEnding } from './session-ending.ts'
import { sessions } from './sessions.ts'
import { sidePage } from './side-page.ts'
import { status } from './status.ts'

export const signedIn: SignedInText = {
  alert,
  burnDown,
  header,
  learnt,
  ledger,
  minute,
  month,
  organization,
  organizations,
  page,
  press,
  readings,
  record,
  sessionEnding,
  sessions,
  sidePage,
  status,
}
