// States of a page before its answers, without server events, and at the end of its session.
import type { Page } from 'playwright-core'
import type { Place, State } from './_state.ts'
import { askItself, signInByKey, signOut } from '../kit/page.ts'

const ANSWERS = /\/(bff\/(quota|readings|events)|api\/.*)$/
const SESSION = '**/bff/session'
/** So near to the end of a session, no press extends it. */
const SOON_S = 3 * 3600

/** A signed-in page of another browser. */
async function another({ app, guest }: Place): Promise<Page> {
  const page = await guest()
  await signInByKey(page, (await app.sandboxState()).api_keys[0]?.value ?? '')
  return page
}

const endOthers = () =>
  fetch('/bff/sessions', { method: 'DELETE', headers: { 'X-CSRF': '1' } }).then(({ ok }) => ok)

/** @param endsIn seconds */
function endSoon(endsIn: number): void {
  const ask = globalThis.fetch
  globalThis.fetch = async (address, options) => {
    const response = await ask(address, options)
    if (address !== '/bff/session') return response
    return new Response(JSON.stringify({ ...(await response.json()), ends_in: endsIn }), response)
  }
}

export const SESSION_STATES: readonly State[] = [
  {
    name: 'loading',
    open: async ({ member }) => {
      const page = await member('/', async (each) => {
        await askItself(each)
        await each.route(ANSWERS, () => {})
      })
      await page.getByRole('region', { name: 'Organization', exact: true }).waitFor()
      return page
    },
  },
  {
    name: 'no changes come',
    open: async ({ member }) => {
      const page = await member('/', (each) => each.route('**/bff/events', (route) => route.abort()))
      await page.getByText(/^Not live/).waitFor()
      await page.getByText('All fields, as the service sent them').waitFor()
      return page
    },
  },
  {
    name: 'session ending',
    open: async ({ member }) => {
      const page = await member('/', async (each) => {
        await askItself(each)
        await each.addInitScript(endSoon, SOON_S)
      })
      await page.getByText('This session ends in').waitFor()
      await page.getByText('All fields, as the service sent them').waitFor()
      return page
    },
  },
  {
    name: 'ended elsewhere',
    isVariant: true,
    open: async (place) => {
      const page = await another(place)
      const member = await place.member()
      if (!(await member.evaluate(endOthers))) throw new Error('the other session was not ended')
      await member.close()
      await page.getByText('You ended it in another browser').waitFor()
      return page
    },
  },
  {
    name: 'sign-out not confirmed',
    open: async (place) => {
      const page = await another(place)
      await page.route(SESSION, (route) =>
        route.request().method() === 'DELETE' ? route.abort() : route.continue(),
      )
      await signOut(page)
      await page.getByText('Not signed out yet').waitFor()
      return page
    },
    end: async (page) => {
      await page.unroute(SESSION)
      await page.getByRole('alert').getByRole('button').click()
      await page.locator('#organization-id').waitFor()
    },
  },
]
