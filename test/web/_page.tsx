// The only place that opens the page: the real app at an address, with the real bff and the sandbox.
import { QueryClient } from '@tanstack/react-query'
import { act, type MatcherFunction, render, screen } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { StrictMode } from 'react'
import { vi } from 'vitest'
import { App } from '../../src/web/app/app.tsx'
import { sendAs } from '../../src/web/lib/api.ts'
import { QUOTA_KEY, type ReceivedQuota } from '../../src/web/quota/query.ts'
import { useUi } from '../../src/web/lib/ui.ts'
import { BUSINESS } from '../kit/app.ts'
import { type Network, SANDBOX, signedInNetwork } from './_network.ts'

/** The name of organization 1001 in the heading of its card. The header and the record have it too. */
export const NAME: MatcherFunction = (words, element) =>
  words === 'Harbour Rope Works' && element?.closest('h3') !== null

let client: QueryClient | undefined
const { mount } = QueryClient.prototype

const note = (mounted: QueryClient): void => {
  client = mounted
}

/** The quota that the page knows. */
export const quotaOfPage = () => client?.getQueryData<ReceivedQuota>(QUOTA_KEY)

/** A page that loads anew is drawn anew, with nothing of the one before. */
function drawAnew(): () => void {
  Object.assign(document.documentElement, { hidden: false, inert: false })
  sendAs(undefined)
  useUi.setState(useUi.getInitialState(), true)
  const { unmount } = render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  return unmount
}

/** By default signed in by OAuth to 1001, with the sign-in's copy. @param state of the history entry */
export async function openPage(path: string, network?: Network, state: unknown = null) {
  const joined = network ?? (await signedInNetwork())
  history.replaceState(state, '', path)
  vi.spyOn(QueryClient.prototype, 'mount').mockImplementation(function mountNoted(this: QueryClient) {
    note(this)
    mount.call(this)
  })
  let unmount = drawAnew()
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {
    // Happy DOM has events of the hash that no browser has, and a page of a watch link would follow them.
    if (!document.documentElement.inert) return
    // A browser ends the page after what runs now, and no answer reaches it any more.
    joined.page += 1
    queueMicrotask(() =>
      act(() => {
        unmount()
        unmount = drawAnew()
      }),
    )
  })
  return { network: joined, user: userEvent.setup(), reload, unmount: () => unmount() }
}

/** The page of the organization, once its record is there. */
export async function openHome(network?: Network) {
  const page = await openPage('/', network)
  await screen.findByText(NAME)
  return page
}

/** Signed in to two organizations, with the second one in use. */
export async function openSecond() {
  const network = await signedInNetwork('oauth', { sandbox: SANDBOX })
  await network.browser.signIn(BUSINESS, 'Cleo')
  const before = network.spent()
  const opened = await openPage('/', network)
  await screen.findByRole('heading', { name: 'Meridian Shipping' })
  return { ...opened, spent: () => network.spent() - before }
}

/** Opens the account menu, and presses a link in it. */
export async function follow(user: UserEvent, name: string): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'Account' }))
  await user.click(screen.getByRole('link', { name }))
}

/** In the account menu. */
export async function signOut(user: UserEvent): Promise<void> {
  await user.click(await screen.findByRole('button', { name: 'Account' }))
  await user.click(screen.getByRole('button', { name: 'Sign out' }))
}

/** As a browser does when it shows a hidden tab again. */
export function showAgain(): void {
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
}
