import { burnDown } from './burn-down.ts'
import { header } from './header.ts'
import { learnt } from './learnt.ts'
import { ledger } from './ledger.ts'
import { organization } from './organization.ts'
import { page } from './page.ts'
import { readings } from './readings.ts'
import { record } from './record.ts'
import { sessions } from './sessions.ts'
import { sidePage } from './side-page.ts'

export const signedIn = {
  burnDown,
  header,
  learnt,
  ledger,
  organization,
  page,
  readings,
  record,
  sessions,
  sidePage,
}
