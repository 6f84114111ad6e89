import { Problem } from '../../contract/problem.ts'
import type { LiveOwner } from '../live/live.tsx'
import { useUi } from '../lib/ui.ts'

/** Says for the rest of the page's life that its link has ended. */
const end = (problem: Problem): void => useUi.setState({ quotaProblem: problem })

/** The stream of a link ends when the link does. */
export const linkOwner = (id: string): LiveOwner => ({
  id,
  confirm: (because) => {
    if (because) end(because)
    return Promise.resolve(true)
  },
  onEnd: () => end(new Problem('signed_out')),
})
