// States of the pages that need no sign-in, and of those on which a person makes them.
import type { Page } from 'playwright-core'
import type { Place, State } from './_state.ts'
import { isLive, press } from '../kit/page.ts'

async function links({ member }: Place): Promise<Page> {
  const page = await member('/links')
  await page.getByRole('button', { name: 'Make a link' }).waitFor()
  return page
}

async function madeLink(place: Place): Promise<Page> {
  const page = await links(place)
  await page.getByLabel('Name of the link').fill('Kitchen')
  await press(page, 'Make a link')
  await page.getByLabel('Link to the page').waitFor()
  await press(page, 'Make a link')
  await page.getByText('Give the link a name').waitFor()
  return page
}

/** An organization may have twenty. */
const withdrawAll = (page: Page) =>
  page.evaluate(async () => {
    const headers = { 'X-CSRF': '1' }
    const { links } = (await (await fetch('/bff/watch-links', { headers })).json()) as {
      links: { id: string }[]
    }
    for (const { id } of links) await fetch(`/bff/watch-links/${id}`, { method: 'DELETE', headers })
  })

async function watched(place: Place): Promise<Page> {
  const page = await madeLink(place)
  const address = new URL(await page.getByLabel('Link to the page').inputValue())
  await page.close()
  const guest = await place.guest(address.pathname + address.hash)
  await isLive(guest)
  await guest.getByRole('slider').waitFor()
  return guest
}

async function code({ member }: Place): Promise<Page> {
  const page = await member('/device')
  await press(page, 'Show a code')
  await page.getByText(/which means this computer/).waitFor()
  return page
}

async function second(place: Place): Promise<Page> {
  const page = await code(place)
  const text = await page.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/).textContent()
  await page.close()
  const guest = await place.guest(`/pair#${text}`)
  await press(guest, 'Go on')
  await guest.getByText('Type this number').waitFor()
  return guest
}

export const WATCH_STATES: readonly State[] = [
  { name: 'watch links', open: madeLink, end: withdrawAll },
  { name: 'page of a watch link', open: watched },
  {
    name: 'withdrawn watch link',
    open: async ({ guest }) => {
      const page = await guest(`/watch/${'A'.repeat(16)}#${'A'.repeat(43)}`)
      await page.getByText('This link shows nothing').waitFor()
      return page
    },
  },
  {
    name: 'incomplete watch link',
    isVariant: true,
    open: async ({ guest }) => {
      const page = await guest(`/watch/${'A'.repeat(16)}`)
      await page.getByText('This link shows nothing').waitFor()
      return page
    },
  },
  { name: 'code for another device', open: code },
  { name: 'pairing', open: ({ guest }) => guest('/pair#ZZZZZZZZ') },
  { name: 'number for the first device', open: second },
  {
    name: 'wrong code',
    isVariant: true,
    open: async ({ guest }) => {
      const page = await guest('/pair#ZZZZZZZZ')
      await press(page, 'Go on')
      await page.getByText('This code opens nothing').waitFor()
      return page
    },
  },
]
