// The only place that opens the page: the real app at an address, with the real bff and the sandbox.
import { type MatcherFunction, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { App } from '../../src/web/app/app.tsx'
import { forgetQuota } from '../../src/web/quota/quota.ts'
import { clearSession } from '../../src/web/session/session.ts'
import { useUi } from '../../src/web/lib/ui.ts'
import { type Network, signedInNetwork } from './_network.ts'

/** The name of organization 1001 in the heading of its card. The header and the record have it too. */
export const NAME: MatcherFunction = (words, element) =>
  words === 'Harbour Rope Works' && element?.closest('h2') !== null

/** By default signed in by OAuth to 1001, with the sign-in's copy. @param state of the history entry */
export async function openPage(path: string, network?: Network, state: unknown = null) {
  const joined = network ?? (await signedInNetwork())
  history.replaceState(state, '', path)
  forgetQuota()
  clearSession()
  useUi.setState(useUi.getInitialState(), true)
  const { unmount } = render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  return { network: joined, user: userEvent.setup(), unmount }
}

/** As a browser does when it shows a hidden tab again. */
export function showAgain(): void {
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
}
