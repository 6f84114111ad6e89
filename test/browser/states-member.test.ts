// Each state of the page of a person who has signed in.
import { lookAt } from './_look.ts'
import { MEMBER_STATES } from './_states.ts'

lookAt(MEMBER_STATES)
