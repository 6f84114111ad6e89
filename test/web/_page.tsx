// The only place that opens the page for a test: the real app, at an address, before a stand-in.
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { App } from '../../src/web/app.tsx'
import { forgetQuota } from '../../src/web/quota.ts'
import { useUi } from '../../src/web/ui.ts'
import { type StandIn, standIn } from './_bff.ts'

export function openPage(path: string, changes: Partial<StandIn> = {}) {
  history.replaceState(null, '', path)
  forgetQuota()
  useUi.setState(useUi.getInitialState(), true)
  const bff = standIn(changes)
  const { unmount } = render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  return { bff, user: userEvent.setup(), unmount }
}

/** As a browser does when a tab is left and looked at again. */
export function look(): void {
  document.dispatchEvent(new Event('visibilitychange'))
}
