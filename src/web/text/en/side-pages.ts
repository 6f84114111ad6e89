import { learnt } from './side-pages/learnt.ts'
import { ledger } from './side-pages/ledger.ts'
import { months } from './side-pages/months.ts'
import { organizations } from './side-pages/organizations.ts'
import { pairing } from './side-pages/pairing.ts'
import { sessions } from './side-pages/sessions.ts'
import { sidePage } from './side-pages/side-page.ts'
import { watch } from './side-pages/watch.ts'

export const sidePages = {
  learnt,
  ledger,
  months,
  organizations,
  pairing,
  sessions,
  sidePage,
  watch,
}
