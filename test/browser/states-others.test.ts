// Each state of the pages for others, and of the end of a session, a minute or a month.
import { lookAt } from './_look.ts'
import { OTHER_STATES } from './_states.ts'

lookAt(OTHER_STATES)
