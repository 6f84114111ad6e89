// Each state of the page before a sign-in, and of the sandbox.
import { lookAt } from './_look.ts'
import { GUEST_STATES } from './_states.ts'

lookAt(GUEST_STATES)
