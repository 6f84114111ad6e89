import type { SignedInText } from '../dictionary.ts'
import { header } from './header.ts'
import { organization } from './organization.ts'
import { page } from './page.ts'
import { record } from './record.ts'

export const signedIn: SignedInText = { header, organization, page, record }
