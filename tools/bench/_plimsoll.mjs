// The built app in production mode, with people who have signed in, and the service behind it.
import { kit, pin, SERVER_CORE } from './_measurement.mjs'

/** About two kilobytes, like an organization's record. */
export const RECORD = JSON.stringify({
  id: Number(kit.BUSINESS),
  name: 'Meridian Shipping',
  plan: 'business',
  members: Array.from({ length: 20 }, (_, nth) => ({
    id: 9000 + nth,
    name: `Person number ${nth}`,
    role: 'member',
    joined_at: '2021-03-04T05:06:07Z',
  })),
})

const [SIGN_INS_AT_ONCE, WINDOW_SECONDS] = [16, 10]

/** Gives everyone tokens of their own and the record, with limits that nobody reaches. */
export async function startService() {
  let signIns = 0
  const service = await kit.openService((path) => {
    if (path.endsWith('/token')) {
      signIns += 1
      const [access_token, refresh_token] = [`access-${signIns}`, `refresh-${signIns}`]
      return { body: JSON.stringify({ ...kit.TOKENS, access_token, refresh_token }) }
    }
    const reset = Math.ceil(Date.now() / 1000 / WINDOW_SECONDS) * WINDOW_SECONDS
    const limits = { Limit: '600', Remaining: '599', Reset: String(reset) }
    const headers = Object.entries(limits).map(([name, value]) => [`X-RateLimit-${name}`, value])
    return { headers: Object.fromEntries(headers), body: RECORD }
  })
  kit.endLater(service.close)
  return service
}

/** Starts the app, and signs people in. @returns its process, and the headers of each person's page */
export async function startPlimsoll(service, people, settings = {}) {
  const app = await kit.openApp({
    NODE_ENV: 'production',
    PLIMSOLL_SERVICE_URL: service.url,
    PLIMSOLL_CLIENT_ID: 'plimsoll',
    PLIMSOLL_CLIENT_SECRET: 'the secret of the benchmark',
    // At the turn of a month an unknown zone makes each press count the rows of the last quarter of an hour.
    PLIMSOLL_MONTH_ZONE: 'UTC',
    ...settings,
  })
  pin(app.child().pid, SERVER_CORE)
  const url = `http://127.0.0.1:${new URL(app.url).port}`
  console.log(`${people} people sign in`)
  const headers = []
  while (headers.length < people) {
    const group = Array.from({ length: Math.min(SIGN_INS_AT_ONCE, people - headers.length) }, () =>
      signIn(url),
    )
    headers.push(...(await Promise.all(group)))
  }
  return { app, url, pid: app.child().pid, headers }
}

/** @returns the headers of a request of the page */
async function signIn(url) {
  const through = (request) => {
    const { pathname, search } = new URL(request.url)
    return fetch(new Request(url + pathname + search, request))
  }
  const person = new kit.Person({ bff: { fetch: through }, now: () => Date.now() })
  const state = kit.randomState()
  await person.startLogin(kit.BUSINESS, state)
  const { status, body } = await person.finishLogin(
    new URL(`${kit.APP}/callback?code=code-${state}&state=${state}`),
  )
  if (status !== 201) throw new Error(`A sign-in answered ${status}: ${JSON.stringify(body)}`)
  return { ...kit.PAGE, Cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
}
