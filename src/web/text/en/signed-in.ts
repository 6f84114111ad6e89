import { header } from './header.ts'
import { page } from './page.ts'

export const signedIn = { header, page }
