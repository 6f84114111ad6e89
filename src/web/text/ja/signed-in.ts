import type { SignedInText } from '../dictionary.ts'
import { alert } from './alert.ts'
import { header } from './header.ts'
import { minute } from './minute.ts'
import { month } from './month.ts'
import { page } from './page.ts'
import { press } from './press.ts'
import { status } from './status.ts'

export const signedIn: SignedInText = { alert, header, minute, month, page, press, status }
