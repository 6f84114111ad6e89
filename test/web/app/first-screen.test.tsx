import { render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepTyped, prepareFirstScreen } from '../../../src/web/app/first-screen.ts'
import { QUOTA_KEY, type ReceivedQuota } from '../../../src/web/quota/query.ts'
import { sendAs } from '../../../src/web/lib/api.ts'
import { type Network, signedInNetwork } from '../_network.ts'

const { dataset } = document.documentElement
beforeEach(() => history.replaceState(null, '', '/'))
afterEach(() => {
  delete dataset['page']
  delete dataset['known']
  globalThis.plimsollEarly = undefined
  sendAs(undefined)
})

/** As src/web/app/start.js does. */
const askEarly = ({ browser }: Network, paths = ['/bff/session', '/bff/quota']): void => {
  const ask = (path: string) => browser.fetch(path, { headers: { 'X-CSRF': '1' } })
  globalThis.plimsollEarly = new Map(paths.map((path) => [path, ask(path)]))
}

test('the page uses the answer that the start script asked for, and does not ask again', async () => {
  const network = await signedInNetwork()
  askEarly(network)
  expect(await prepareFirstScreen()).toMatchObject({ asked: { signed_in: true, organization_id: '1001' } })
  expect(network.calls).toEqual([])
  expect([...(globalThis.plimsollEarly?.keys() ?? [])]).toEqual(['/bff/quota'])
})

test.each([true, false])(
  'over a page that the server drew with numbers they stay, but the buttons wait for none: %s (D8)',
  async (comes) => {
    dataset['known'] = ''
    const network = await signedInNetwork()
    askEarly(network)
    if (!comes) globalThis.plimsollEarly?.set('/bff/quota', new Promise(() => {}))
    const { asked, client } = await prepareFirstScreen()
    expect(asked).toMatchObject({ signed_in: true })
    const quota = client?.getQueryData<ReceivedQuota>(QUOTA_KEY)
    expect(quota?.snapshot.month.low).toBe(comes ? 1 : undefined)
    expect(network.calls).toEqual([])
  },
)

test('without a session no early answer is left for a later one', async () => {
  const network = await signedInNetwork('none')
  askEarly(network)
  expect(await prepareFirstScreen()).toMatchObject({ asked: { signed_in: false } })
  expect(globalThis.plimsollEarly).toBeUndefined()
})

test('the first screen asks itself if the start script did not', async () => {
  const network = await signedInNetwork()
  expect(await prepareFirstScreen()).toMatchObject({ asked: { signed_in: true } })
  expect(network.calls.map(({ path }) => path)).toEqual(['/bff/session'])
})

test('a callback, which brings the session, asks for none before', async () => {
  const network = await signedInNetwork()
  history.replaceState(null, '', '/callback')
  expect((await prepareFirstScreen()).asked).toBeUndefined()
  expect(network.calls).toEqual([])
})

test('a failed early request is shown like any other', async () => {
  globalThis.plimsollEarly = new Map([['/bff/session', Promise.reject(new TypeError('fetch failed'))]])
  expect(await prepareFirstScreen()).toMatchObject({ asked: { code: 'bff_unreachable' } })
})

function Field({ onType }: { onType: (value: string) => void }) {
  const [value, setValue] = useState('')
  return (
    <input
      id="field"
      value={value}
      onChange={({ target }) => {
        setValue(target.value)
        onType(target.value)
      }}
    />
  )
}

test('text typed before the script came, and the focus, are kept in the drawn page', () => {
  const served = document.createElement('div')
  served.innerHTML = '<input id="field"><input id="gone"><input id="empty"><button id="button"></button>'
  document.body.append(served)
  const typeAgain = keepTyped(served)
  for (const field of served.querySelectorAll('input')) field.value = field.id === 'empty' ? '' : '1001'
  served.querySelector('input')?.focus()
  const onType = vi.fn<(value: string) => void>()
  render(<Field onType={onType} />, { container: served })
  typeAgain()
  expect(screen.getByRole('textbox')).toHaveValue('1001')
  expect(screen.getByRole('textbox')).toHaveFocus()
  expect(onType.mock.calls).toEqual([['1001']])
})

test('the module loader finds a style sheet that is in the document, and loads nothing', async () => {
  await signedInNetwork()
  dataset['sheets'] = '/assets/a.css /assets/b.css'
  await prepareFirstScreen()
  delete dataset['sheets']
  for (const name of ['a', 'b']) {
    const link = document.querySelector(`link[href="/assets/${name}.css"][rel="stylesheet"]`)
    expect(link).toHaveAttribute('disabled')
    link?.remove()
  }
})
