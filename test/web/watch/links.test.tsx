import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeLink, signedInMaker } from '../../bff/watch/_links.ts'
import { startApp } from '../../kit/app.ts'
import { hold, joinNetwork } from '../_network.ts'
import { openPage } from '../_page.tsx'

/** The list, with two links. */
async function openLinks() {
  const fixture = startApp()
  const maker = await signedInMaker(fixture)
  const { id } = await makeLink(maker, { name: 'Kitchen', days: 90 })
  await makeLink(maker, { name: 'Hall', days: 7 })
  const network = joinNetwork(fixture, maker)
  const page = await openPage('/links', network)
  await screen.findByRole('list')
  return { ...page, id, fixture }
}

const row = () => screen.getByText('Kitchen').closest('li') as HTMLElement
const nameField = () => screen.getByRole('textbox', { name: 'Name of the link' })

test('"Try again" withdraws the link that could not be withdrawn, and the failure goes (RFC 9457)', async () => {
  const { user, network, id } = await openLinks()
  network.cut.add(`DELETE /bff/watch-links/${id}`)
  await user.click(within(row()).getByRole('button', { name: 'Withdraw' }))
  await user.click(within(row()).getByRole('button', { name: 'Yes, withdraw it' }))
  await screen.findByRole('alert')
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: /^Try again/ }))
  expect(await screen.findByText('The link “Kitchen” opens nothing any more.')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the list says who made a link, and the name of an open link is refused at its field', async () => {
  const { user } = await openLinks()
  expect(row()).toHaveTextContent(/Made .*2026.*Another browser/)
  await user.type(nameField(), 'Kitchen')
  await user.click(screen.getByRole('button', { name: 'Make a link' }))
  await waitFor(() => expect(nameField()).toHaveAccessibleDescription(/^Another link has this name/))
  expect(nameField()).toHaveFocus()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the error of a name stands between its field and the next one', async () => {
  const { user } = await openLinks()
  await user.click(screen.getByRole('button', { name: 'Make a link' }))
  const error = await screen.findByText(/^Give the link a name/)
  expect(nameField()).toHaveAccessibleDescription(error.textContent ?? '')
  const next = screen.getByText('Days until it ends')
  expect(error.compareDocumentPosition(next)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test('a link that another person makes comes into the list without a press, and for free', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const { fixture, network } = await openLinks()
  const other = await signedInMaker(fixture)
  await makeLink(other, { name: 'Reception', days: 30 })
  const before = network.spent()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await screen.findByText('Reception')).toBeVisible()
  expect(network.spent()).toBe(before)
})

test('a failure beside the list stays, and is not announced anew every half minute (WCAG 4.1.3)', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const { network, user } = await openLinks()
  network.cut.add('GET /bff/watch-links')
  await act(() => vi.advanceTimersByTimeAsync(30_000))
  const notice = await screen.findByRole('alert')
  const asked = network.count('GET', '/bff/watch-links')
  const open = hold(network)
  await act(() => vi.advanceTimersByTimeAsync(30_000))
  expect(network.count('GET', '/bff/watch-links')).toBe(asked + 1)
  expect(notice).toBeInTheDocument()
  open()
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(notice).toBeInTheDocument()
  const answer = hold(network)
  await user.click(screen.getByRole('button', { name: /^Try again/ }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  answer()
  expect(await screen.findByRole('alert')).toBeVisible()
})

test('a link is withdrawn after a second press, and the focus returns to the first if a person keeps it', async () => {
  const { user, network, id } = await openLinks()
  const withdraw = () => within(row()).getByRole('button', { name: 'Withdraw' })
  await user.click(withdraw())
  expect(within(row()).getByRole('button', { name: 'Yes, withdraw it' })).toHaveFocus()
  await user.keyboard('{Tab}{Enter}')
  expect(within(row()).queryByRole('button', { name: 'Keep it' })).toBeNull()
  expect(withdraw()).toHaveFocus()
  expect(network.count('DELETE', `/bff/watch-links/${id}`)).toBe(0)
  await user.keyboard('{Enter}{Enter}')
  await waitFor(() => expect(screen.queryByText('Kitchen')).toBeNull())
  expect(network.count('DELETE', `/bff/watch-links/${id}`)).toBe(1)
  await waitFor(() => expect(screen.getAllByRole('list').at(-1)).toHaveFocus())
})

async function makeOne() {
  const opened = await openLinks()
  await opened.user.type(nameField(), 'Wall')
  await opened.user.selectOptions(screen.getByLabelText('Days until it ends'), '365')
  await opened.user.click(screen.getByRole('button', { name: 'Make a link' }))
  await screen.findByRole('heading', { name: /^The link “Wall” is ready/ })
  return opened
}
const valueOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value

test('a new link has its addresses and a command for a script, and stays beside a later error', async () => {
  const { user, network } = await makeOne()
  const posted = network.calls.find(({ method }) => method === 'POST')
  expect(posted?.body).toEqual({ name: 'Wall', days: 365 })
  expect(nameField()).toHaveValue('')
  const [address, secret] = valueOf('Link to the page').split('#')
  expect(valueOf('For a display on a wall')).toBe(`${address}?wall#${secret}`)
  expect(valueOf('For a script')).toBe(
    `curl -H "Authorization: Bearer ${secret}" ${location.origin}/watch/quota`,
  )
  expect(screen.getAllByRole('link', { name: 'Open' })[0]).toHaveAttribute('href', `${address}#${secret}`)
  await user.click(screen.getByRole('button', { name: 'Make a link' }))
  expect(nameField()).toBeInvalid()
  expect(valueOf('Link to the page')).toBe(`${address}#${secret}`)
})

test('a new link that is withdrawn is not offered any more', async () => {
  const { user } = await makeOne()
  const made = within(screen.getByText('Wall').closest('li') as HTMLElement)
  await user.click(made.getByRole('button', { name: 'Withdraw' }))
  await user.click(made.getByRole('button', { name: 'Yes, withdraw it' }))
  await waitFor(() => expect(screen.queryByLabelText('Link to the page')).toBeNull())
})

test('an address is copied, and where the browser has no clipboard, as over http, it is selected', async () => {
  const { user } = await makeOne()
  const field = screen.getByLabelText<HTMLInputElement>('Link to the page')
  const button = () => screen.getAllByRole('button', { name: 'Copy' })[0] as HTMLElement
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await user.click(button())
  expect(await screen.findByText('Copied')).toBeVisible()
  expect(write).toHaveBeenCalledWith(field.value)
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as never)
  await user.click(button())
  expect(await screen.findByText(/^Your browser did not copy it/)).toBeVisible()
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, field.value.length])
})
