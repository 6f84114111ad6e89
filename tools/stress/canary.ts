/** No secret that went through the app is in a log, an answer, an address or the database. */
import { LOGIN_COOKIE, SESSION_COOKIE } from '../../test/kit/config.ts'
import { BUSINESS, SECRET, STANDARD } from '../../test/kit/app.ts'
import { type Canary, place, placesIn, type Place, sweep } from './canary-sweep.ts'
import { openPerson, type Person } from './person.ts'
import { press } from './presses.ts'
import { type AppProcess, openSetup, type Setup } from './process.ts'
import type { Report } from './report.ts'
import { STORE_FAULTS } from './store-faults.ts'
import { current } from './store-people.ts'

const PATH = `/organizations/${BUSINESS}`
const SHORT_LIFETIME_S = 31

/** All traffic, and the secrets in it. */
class Traffic {
  readonly canaries = new Map<string, Canary>()
  readonly #lines: Place[] = []
  #answers = 0

  add(what: string, value: string | undefined | null, more: { isHashed?: true } = {}): void {
    if (value) this.canaries.set(value, { what, value, ...more })
  }

  write(where: string, text: string): void {
    this.#lines.push(place(where, text))
  }

  recorded(app: AppProcess): AppProcess {
    return {
      ...app,
      fetch: async (request, options) => {
        const answer = await app.fetch(request, options)
        this.#answers += 1
        const { pathname } = new URL(request.url)
        const where = `the answer to ${request.method} ${pathname}`
        for (const line of answer.headers.getSetCookie()) this.addCookie(line)
        const headers = [...answer.headers].filter(([name]) => name !== 'set-cookie')
        this.write(where, `${JSON.stringify(headers)}\n${await answer.clone().text()}`)
        return answer
      },
    }
  }

  addCookie(line: string): void {
    const [pair = '', ...attributes] = line.split(';')
    const [name = '', value = ''] = pair.split('=')
    this.write('the attributes of a cookie', attributes.join(';'))
    if (name === SESSION_COOKIE)
      for (const part of value.split('.')) this.add('a part of the session cookie', part)
    else if (name.startsWith(LOGIN_COOKIE) && value.length >= 40) this.add('the login cookie', value)
    else if (value.length >= 12) this.add(`the cookie ${name}`, value)
  }

  get places(): Place[] {
    return this.#lines
  }

  get summary(): string {
    return `${this.canaries.size} secrets, ${this.#answers} answers`
  }
}

/** `echo` makes the service repeat each request in its answer. */
type Echo = 'none' | 'reads' | 'tokens' | 'withdrawn'

/** @param _rounds is ignored: the one run is short enough for a test */
export async function run(report: Report, _rounds?: number): Promise<void> {
  const traffic = new Traffic()
  traffic.add('the client secret', SECRET)
  const setup = await openSetup({ processes: 1 })
  const service = { echo: 'none' as Echo }
  interceptAll(setup, traffic, service)
  const people = [0, 1, 2].map(() => openPerson(setup.service, () => traffic.recorded(current(setup))))
  const [ada, other, withKey] = people as [Person, Person, Person]
  try {
    await signInAndOut(setup, traffic, ada)
    await throughFailures(setup, traffic, other, service)
    await withApiKey(setup, traffic, withKey, service)
    const live = placesIn(setup.folder)
    const logs = await stopAll(setup)
    const found = sweep(
      [...traffic.canaries.values()],
      [...traffic.places, ...logs, ...live, ...placesIn(setup.folder)],
    )
    for (const line of new Set(found)) report.line(`FOUND ${line}`)
    const searched = [...traffic.places, ...logs, ...live].reduce((sum, { bytes }) => sum + bytes.length, 0)
    report.line(`${traffic.summary}, ${searched} bytes searched`)
    report.counts(
      'secrets',
      { hits: new Set(found).size, missing: missing(traffic).length },
      { hits: 0, missing: 0 },
    )
    if (missing(traffic).length > 0) report.line(`never seen: ${missing(traffic).join(', ')}`)
  } finally {
    await Promise.all(people.map((person) => person.close()))
    await setup.close()
  }
}

/** Kinds of secrets that must occur, or the search would prove nothing. */
const KINDS = [
  'the client secret',
  'a code',
  'a state',
  'an access token',
  'a refresh token',
  'an API key',
  'a part of the session cookie',
  'the login cookie',
]
const missing = ({ canaries }: Traffic): string[] => {
  const seen = new Set([...canaries.values()].map(({ what }) => what))
  return KINDS.filter((kind) => !seen.has(kind))
}

function interceptAll({ service }: Setup, traffic: Traffic, wanted: { echo: Echo }): void {
  service.intercept(async (request, through, { path }) => {
    const sent = `${request.headers.get('Authorization')} ${request.headers.get('X-Service-Api-Key')} ${await request.clone().text()}`
    const { search } = new URL(request.url)
    const others = [...request.headers].filter(([name]) => !/^(authorization|x-service-api-key)$/.test(name))
    traffic.write('the address of a request to the service', path + search)
    traffic.write('a header of a request to the service', JSON.stringify(others))
    const isToken = path === '/oauth2/token'
    if (isToken && wanted.echo === 'tokens') return echo(500, sent)
    if (isToken && wanted.echo === 'withdrawn')
      return Response.json({ error: 'invalid_grant', error_description: sent }, { status: 400 })
    if (!isToken && wanted.echo === 'reads') return echo(500, sent)
    const answer = await through(request)
    if (isToken && answer.ok) {
      const tokens = (await answer.clone().json()) as Record<string, string>
      traffic.add('an access token', tokens['access_token'])
      traffic.add('a refresh token', tokens['refresh_token'])
    }
    return answer
  })
}

const echo = (status: number, sent: string): Response =>
  new Response(JSON.stringify({ error: 'server_error', sent }), {
    status,
    headers: {
      'X-Request-Headers': sent.replaceAll(/[^\x20-\x7e]/g, ' '),
      'X-RateLimit-Limit': sent.slice(0, 60),
    },
  })

/** Signs in as a browser does, with the page of the callback. */
async function signIn(traffic: Traffic, { browser }: Person, organization: string): Promise<number> {
  const back = await browser.permit(await browser.startLogin(organization), 'Ada')
  traffic.add('a code', back.searchParams.get('code'))
  traffic.add('a state', back.searchParams.get('state'))
  await browser.fetch(back.pathname + back.search)
  return (await browser.finishLogin(back)).status
}

async function signInAndOut(setup: Setup, traffic: Traffic, person: Person): Promise<void> {
  setup.service.lifetimeSeconds.code = SHORT_LIFETIME_S
  await signIn(traffic, person, BUSINESS)
  await person.browser.session()
  await person.browser.read(PATH)
  await person.browser.quota()
  await person.browser.request('GET', '/bff/sessions')
  // The access token has expired, so it is refreshed first.
  await new Promise((resolve) => setTimeout(resolve, 1100))
  await press(person, PATH)
  await person.browser.request('GET', '/api/organizations/7')
  await person.browser.signOut()
  delete setup.service.lifetimeSeconds.code
}

async function throughFailures(
  setup: Setup,
  traffic: Traffic,
  person: Person,
  service: { echo: Echo },
): Promise<void> {
  setup.service.lifetimeSeconds.code = SHORT_LIFETIME_S
  await signIn(traffic, person, BUSINESS)
  await new Promise((resolve) => setTimeout(resolve, 1100))
  for (const echo of ['tokens', 'reads'] as const) {
    service.echo = echo
    await press(person, PATH)
  }
  service.echo = 'none'
  await failInStore(setup, person)
  await restartOnce(setup, person)
  service.echo = 'withdrawn'
  await press(person, '/rate_limit')
  await signIn(traffic, person, STANDARD)
  service.echo = 'tokens'
  await signIn(traffic, person, STANDARD)
  service.echo = 'none'
  await person.browser.request('POST', '/bff/session', {
    json: { code: 'a-code-of-no-one-9f31', state: 'a-state-of-no-one-77ab' },
  })
  traffic.add('a refused code', 'a-code-of-no-one-9f31')
  traffic.add('an unknown state', 'a-state-of-no-one-77ab')
  delete setup.service.lifetimeSeconds.code
}

async function failInStore({ storePath }: Setup, person: Person): Promise<void> {
  const end = STORE_FAULTS.find(({ name }) => name === 'locked')?.begin(storePath)
  try {
    await press(person, PATH)
  } finally {
    end?.()
  }
}

async function restartOnce(setup: Setup, person: Person): Promise<void> {
  await current(setup).stop('SIGKILL')
  await setup.start()
  await press(person, PATH)
}

async function withApiKey(
  setup: Setup,
  traffic: Traffic,
  person: Person,
  service: { echo: Echo },
): Promise<void> {
  const [key] = setup.service.seed.api_keys
  const wrong = 'a-key-of-no-one-5d20aa'
  for (const value of [key?.value, wrong]) traffic.add('an API key', value, { isHashed: true })
  await person.browser.request('POST', '/bff/session', { json: { api_key: wrong } })
  await person.browser.request('POST', '/bff/session', { json: { api_key: key?.value } })
  await press(person, '/organizations')
  service.echo = 'reads'
  await press(person, '/organizations')
  service.echo = 'none'
  await person.browser.quota()
  await person.browser.signOut()
}

/** @returns the output of the processes */
async function stopAll({ apps }: Setup): Promise<Place[]> {
  await Promise.all(apps.filter((app) => app.isRunning()).map((app) => app.stop()))
  return apps.map((app) => place('the log', app.output()))
}
