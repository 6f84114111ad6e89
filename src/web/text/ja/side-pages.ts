import type { SidePagesText } from '../dictionary.ts'
import { learnt } from './learnt.ts'
import { ledger } from './ledger.ts'
import { organizations } from './organizations.ts'
import { sessions } from './sessions.ts'
import { sidePage } from './side-page.ts'

export const sidePages: SidePagesText = {
  learnt,
  ledger,
  organizations,
  sessions,
  sidePage,
}
