import type { SignedInText } from '../dictionary.ts'
import { header } from './header.ts'
import { page } from './page.ts'

export const signedIn: SignedInText = { header, page }
