import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import { lastOrganizations, rememberOrganization } from '../../../src/web/session/last-organizations.ts'
import { sessionWords } from '../../../src/web/sign-in/open-organizations.tsx'
import { OrganizationButton } from '../../../src/web/sign-in/organization-button.tsx'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { signedInNetwork } from '../_network.ts'
import { openPage } from '../_page.tsx'

afterEach(async () => loadLanguage('en'))

const SANDBOX = {
  control_url: 'http://127.0.0.1:4001',
  organizations: [
    { id: '1001', name: 'Harbour Rope Works' },
    { id: '2002', name: 'Meridian Shipping' },
  ],
}
const leaves = () => vi.spyOn(location, 'assign').mockImplementation(() => {})
const asked = (assign: ReturnType<typeof leaves>) =>
  new URL(String(assign.mock.calls[0]?.[0])).searchParams.get('organization_id')

test('with the embedded sandbox a press signs in to an organization, and a link leads to its control plane', async () => {
  const assign = leaves()
  rememberOrganization({ id: '77' })
  const { network, user } = await openPage('/', await signedInNetwork('none', { sandbox: SANDBOX }))
  const sandbox = await screen.findByRole('region', { name: 'Sandbox' })
  expect(within(sandbox).getByRole('link', { name: 'Control plane of the sandbox' })).toHaveAttribute(
    'href',
    SANDBOX.control_url,
  )
  expect(screen.getByRole('button', { name: 'Harbour Rope Works (1001) · 1–2 requests' })).toBeVisible()
  expect(screen.queryByText(/Last used/)).toBeNull()
  await user.dblClick(screen.getByRole('button', { name: 'Meridian Shipping (2002) · 1–2 requests' }))
  await expect.poll(() => assign).toHaveBeenCalledOnce()
  expect(asked(assign)).toBe('2002')
  expect(network.count('POST', '/bff/login')).toBe(1)
})

test('presses of two buttons start one sign-in, and a failure frees both', async () => {
  const assign = leaves()
  const network = await signedInNetwork('none', { sandbox: SANDBOX })
  network.cut.add('POST /bff/login')
  const { user } = await openPage('/', network)
  await user.click(await screen.findByRole('button', { name: /^Harbour/ }))
  expect(await screen.findByRole('heading', { name: 'Plimsoll itself cannot be reached' })).toHaveFocus()
  expect(document.title).toBe('Plimsoll itself cannot be reached · Plimsoll')
  network.cut.clear()
  const buttons = [
    screen.getByRole('button', { name: /^Harbour/ }),
    screen.getByRole('button', { name: /^Meridian/ }),
  ]
  for (const button of buttons) button.click()
  await expect.poll(() => assign).toHaveBeenCalledOnce()
  expect(asked(assign)).toBe('1001')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('without the sandbox a press signs in to a remembered organization, and each can be removed', async () => {
  const assign = leaves()
  for (const one of [{ id: '5' }, { id: '1001', name: 'Ropes' }, { id: '2002', name: 'Ships' }])
    rememberOrganization(one)
  const { user } = await openPage('/', await signedInNetwork('none'))
  const last = await screen.findByRole('region', { name: 'Last used in this browser' })
  expect(
    within(last)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Ships (2002) · 1–2 requests×',
    'Ropes (1001) · 1–2 requests×',
    'Organization 5 · 1–2 requests×',
  ])
  await user.click(screen.getByRole('button', { name: 'Remove Ropes (1001)' }))
  expect(screen.getByRole('heading', { name: 'Last used in this browser' })).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Remove organization 5' }))
  expect(lastOrganizations()).toEqual([{ id: '2002', name: 'Ships' }])
  await user.click(screen.getByRole('button', { name: 'Ships (2002) · 1–2 requests' }))
  await expect.poll(() => assign).toHaveBeenCalledOnce()
  expect(asked(assign)).toBe('2002')
  await user.click(screen.getByRole('button', { name: 'Remove all' }))
  expect(last).not.toBeInTheDocument()
  expect(screen.getByRole('textbox')).toHaveFocus()
  expect(lastOrganizations()).toEqual([])
})

test('both lists are in Japanese too', async () => {
  await loadLanguage('ja')
  const first = await openPage('/', await signedInNetwork('none', { sandbox: SANDBOX }))
  expect(
    await screen.findByRole('button', { name: /^Meridian Shipping ?（2002）・ ?1～2リクエスト$/ }),
  ).toBeVisible()
  first.unmount()
  rememberOrganization({ id: '5' })
  await openPage('/', await signedInNetwork('none'))
  expect(await screen.findByRole('button', { name: /^組織5・ ?1～2リクエスト$/ })).toBeVisible()
  expect(document.body.textContent).not.toMatch(/[A-Za-z]{3,} [A-Za-z]{2,} [A-Za-z]{2,}/)
})

test('a session is named by its organization, with the name if this browser knows it (2.3)', () => {
  expect(sessionWords({ organization_id: '7' })).toBe('organization 7')
  rememberOrganization({ id: '7', name: 'Ropes' })
  expect(sessionWords({ organization_id: '7' })).toBe('Ropes (7)')
  expect(sessionWords({})).toBe('the organization of an API key')
})

test('many presses open the organization once, and after a failure it can be pressed again', async () => {
  const user = userEvent.setup()
  const reports: (string | undefined)[] = []
  let fail: (error: Error) => void = () => {}
  const open = vi.fn<() => Promise<void>>(
    () =>
      new Promise((_, reject) => {
        fail = reject
      }),
  )
  render(
    <OrganizationButton
      busyLabel="Going"
      open={open}
      onProblem={(problem) => reports.push(problem && problem.code)}
    >
      Harbour
    </OrganizationButton>,
  )
  await user.dblClick(screen.getByRole('button', { name: 'Harbour' }))
  expect(open).toHaveBeenCalledOnce()
  expect(screen.getByRole('button', { name: 'Going', busy: true })).toHaveFocus()
  fail(new Problem('bff_unreachable'))
  await user.click(await screen.findByRole('button', { name: 'Harbour', busy: false }))
  expect(open).toHaveBeenCalledTimes(2)
  expect(reports).toEqual([undefined, 'bff_unreachable', undefined])
})
