import { header } from './header.ts'
import { organization } from './organization.ts'
import { page } from './page.ts'
import { record } from './record.ts'

export const signedIn = { header, organization, page, record }
