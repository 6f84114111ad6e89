// The steps in a browser at the deployment, over https through nginx, and checks of the service's own log.
import { request } from 'node:https'
import { readFileSync } from 'node:fs'
import { until } from '../../test/kit/until.ts'
import { signOut } from '../../test/kit/page.ts'
import type { Machine } from './machine.ts'
import { Person } from './person.ts'
import type { Report } from './report.ts'
import type { Service } from './service.ts'
import type { Units } from './units.ts'
import { setTimeout as wait } from 'node:timers/promises'

const BACK_MS = 3000

export interface Deployment {
  machine: Machine
  units: Units
  service: Service
  report: Report
  /** The browser accepts this certificate's key and no other error. */
  fingerprint: string
}

export class Flow {
  readonly #deployment: Deployment
  readonly #url: string
  readonly person: Person

  constructor(deployment: Deployment) {
    this.#deployment = deployment
    this.#url = `https://localhost:${deployment.machine.port('443')}`
    this.person = new Person(this.#url, deployment.fingerprint)
  }

  /** After section 5: all that a person does, and the headers that the proxy must not change. */
  async use(): Promise<void> {
    const { report } = this.#deployment
    await report.step('a connection over http is sent to https, without its query', () =>
      this.#isRedirected(),
    )
    await report.step('a sign-in at the service, and back to the page of the organization', () =>
      this.person.signIn(),
    )
    await report.step('the cookie is Secure, HttpOnly, SameSite=Strict and __Host-', () => this.#hasCookie())
    await report.step('HTTP/2, HSTS, nothing for a cache, and no version of nginx', () => this.#hasHeaders())
    await report.step('Refresh costs one request', () => this.#refreshCosts(1))
    await report.step('another browser sees it live, through nginx', () => this.#isSeenLive())
    await report.step(
      'an instance that is killed while it reads loses the answer, and nothing is sent twice',
      () => this.#isSentOnce(),
    )
    await report.step('an instance that does not accept connections costs no request and no error', () =>
      this.#isSentToTheOther(),
    )
    await report.step('no secret and no code is in a log of nginx or of an instance', () =>
      this.#logsAreClean(),
    )
  }

  /** While `work` restarts the instances in turn, the page stays, and ended streams are back in time. */
  async isLiveThrough(work: () => Promise<void>): Promise<void> {
    const { report, service } = this.#deployment
    await this.person.isLive()
    const [before, streams] = [await service.count(), this.person.streamsAtMs.length]
    const failed: string[] = []
    const done = new AbortController()
    const asking = (async () => {
      while (!done.signal.aborted) {
        const status = await this.person.ask('/bff/quota')
        if (status !== 200) failed.push(`/bff/quota ${status}`)
      }
    })()
    await work()
    done.abort()
    await asking
    await report.step('two restarts refuse no request of a signed-in person', async () => {
      if (failed.length > 0) throw new Error(failed.join(', '))
    })
    await report.step('the stream came back through the other instance, and the page is live', async () => {
      await this.person.isLive()
      if (this.person.streamsAtMs.length === streams) throw new Error('no stream was opened again')
    })
    await report.step('two restarts cost no request', async () => {
      const sent = (await service.count()) - before
      if (sent !== 0) throw new Error(`${sent} requests were sent`)
    })
  }

  /** Measures the time until a stream is back after its instance has ended. */
  async streamIsBack(): Promise<void> {
    const { units } = this.#deployment
    for (const name of ['plimsoll@1', 'plimsoll@2']) {
      const [streams, atMs] = [this.person.streamsAtMs.length, performance.now()]
      units.kill(name)
      await until(() => this.person.streamsAtMs.length > streams, BACK_MS).catch(() => {})
      const last = this.person.streamsAtMs.at(-1) ?? 0
      await this.person.isLive()
      await this.areReady()
      // The other instance may serve it.
      if (this.person.streamsAtMs.length === streams) continue
      if (last - atMs > BACK_MS) throw new Error(`the stream came back after ${Math.round(last - atMs)} ms`)
      return
    }
    throw new Error('no stream was opened again')
  }

  async areReady(): Promise<void> {
    const { machine } = this.#deployment
    for (const port of [machine.port('9471'), machine.port('9472')])
      await until(
        () =>
          fetch(`http://127.0.0.1:${port}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          ),
        30_000,
      )
    // Waits until nginx uses again the instance that it could not reach.
    await wait(2100)
  }

  async signOut(): Promise<void> {
    const { machine } = this.#deployment
    const cookie = await this.person.cookieHeader()
    await signOut(this.person.page)
    await this.person.page.getByLabel(/organization id/i).waitFor()
    const ask = async (port: number) =>
      (
        await fetch(`http://127.0.0.1:${port}/bff/quota`, {
          headers: { 'X-CSRF': '1', 'Sec-Fetch-Site': 'same-origin', Cookie: cookie },
        })
      ).status
    for (const port of [machine.port('3001'), machine.port('3002')])
      await until(async () => (await ask(port)) === 401, 2000)
    if (this.person.errors.length > 0)
      throw new Error(`the page had errors: ${this.person.errors.join(', ')}`)
  }

  async #isRedirected(): Promise<void> {
    const answer = await fetch(
      `http://127.0.0.1:${this.#deployment.machine.port('80')}/callback?code=secret`,
      { redirect: 'manual' },
    )
    const to = answer.headers.get('location')
    if (answer.status !== 301 || to !== `${this.#url}/callback`) throw new Error(`${answer.status} ${to}`)
  }

  async #hasCookie(): Promise<void> {
    const cookies = await this.person.cookies()
    const wrong = cookies.filter(
      ({ name, secure, httpOnly, sameSite }) =>
        !name.startsWith('__Host-') || !secure || !httpOnly || sameSite !== 'Strict',
    )
    if (cookies.length === 0 || wrong.length > 0)
      throw new Error(`cookies: ${cookies.map(({ name }) => name).join(', ')}`)
  }

  async #hasHeaders(): Promise<void> {
    const answer = await this.person.page.goto(this.#url)
    const headers = (await answer?.allHeaders()) ?? {}
    const protocol = await this.person.page.evaluate(
      () => (performance.getEntriesByType('navigation')[0] as PerformanceResourceTiming).nextHopProtocol,
    )
    if (protocol !== 'h2') throw new Error(`the protocol is ${protocol}`)
    if (!headers['strict-transport-security']) throw new Error('no Strict-Transport-Security')
    if (!/^no-(cache|store)$/.test(headers['cache-control'] ?? ''))
      throw new Error(`Cache-Control is ${headers['cache-control']}`)
    if (/\d/.test(headers.server ?? '')) throw new Error(`Server is ${headers.server}`)
    await this.isServed()
    await this.person.isLive()
  }

  /** The page is there for a client that trusts the authority: chain and name of the certificate are valid. */
  isServed(): Promise<void> {
    const ca = readFileSync(this.#deployment.machine.at('authority.pem'))
    return new Promise((resolve, reject) =>
      request(this.#url, { ca }, (answer) => {
        answer.resume()
        if (answer.statusCode === 200) resolve()
        else reject(new Error(`https answers ${answer.statusCode}`))
      })
        .on('error', reject)
        .end(),
    )
  }

  async #refreshCosts(count: number): Promise<void> {
    const { service } = this.#deployment
    const before = await service.count()
    const answered = this.person.page.waitForResponse(
      (response) => response.request().headers()['x-plimsoll-spend'] === '1',
    )
    await this.person.page.getByRole('button', { name: /^Refresh · uses 1 of/ }).click()
    const status = (await answered).status()
    if (status !== 200) throw new Error(`the answer is ${status}`)
    const sent = (await service.count()) - before
    if (sent !== count) throw new Error(`${sent} requests were sent`)
  }

  async #isSeenLive(): Promise<void> {
    await this.person.inAnother(async (other) => {
      const month = other.locator('section[aria-labelledby=month]')
      const before = await month.innerText()
      // A press within a second of the last one shares its answer.
      await wait(1000)
      await this.#refreshCosts(1)
      await until(async () => (await month.innerText()) !== before, 2000)
    })
  }

  /** The instance that waits for a late answer is killed: a repeating proxy would ask the other one. */
  async #isSentOnce(): Promise<void> {
    const { service, units } = this.#deployment
    const before = await service.count()
    await service.answerLate(13_000)
    const asking = this.person.ask('/api/organizations', '1')
    await until(async () => (await service.count()) > before || (await service.isWaiting()), 5000)
    // The proxy chooses the instance, and the other one could take the repeated request.
    units.kill('plimsoll@1')
    const isOver = await Promise.race([asking.then(() => true), wait(1500).then(() => false)])
    if (!isOver) {
      await this.areReady()
      units.kill('plimsoll@2')
    }
    const status = await asking
    await service.answerAtOnce()
    await this.areReady()
    const sent = (await service.count()) - before
    if (status !== 502 || sent !== 1)
      throw new Error(`the answer is ${status}, and ${sent} requests were sent`)
    await this.person.isSignedIn()
  }

  async #isSentToTheOther(): Promise<void> {
    const { machine, service } = this.#deployment
    await machine.run('systemctl stop plimsoll@1')
    const before = await service.count()
    const statuses = [
      await this.person.ask('/api/organizations', '1'),
      await this.person.ask('/bff/quota'),
      await this.person.ask('/bff/quota'),
    ]
    const sent = (await service.count()) - before
    await machine.run('systemctl start plimsoll@1')
    await this.areReady()
    if (statuses.some((status) => status !== 200) || sent !== 1)
      throw new Error(`the answers are ${statuses.join(', ')}, and ${sent} requests were sent`)
  }

  async #logsAreClean(): Promise<void> {
    const { machine, units, service } = this.#deployment
    const logs = [
      'etc/nginx/error.log',
      'var/log/nginx/plimsoll.log',
      'var/log/nginx/plimsoll-error.log',
    ].map((file) => readFileSync(machine.at(file), 'utf8'))
    const text = [
      ...logs,
      units.output('plimsoll@1'),
      units.output('plimsoll@2'),
      units.output('nginx'),
    ].join('\n')
    if (!text.includes('/callback')) throw new Error('nginx has logged no sign-in')
    for (const secret of [
      'code=',
      'state=',
      service.clientSecret,
      readFileSync(machine.at('etc/plimsoll/redis-password'), 'utf8').trim(),
    ])
      if (text.includes(secret)) throw new Error(`a log has "${secret.slice(0, 6)}..."`)
  }
}
