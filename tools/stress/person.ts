// A person with a browser: cookies, a network address, and the app process of each request.
import { Agent } from 'undici'
import { Person as Browser } from '../../test/kit/person.ts'
import type { AppProcess } from './process.ts'
import type { Service } from './service.ts'

export interface Person {
  readonly browser: Browser
  to: AppProcess | (() => AppProcess)
  signal: AbortSignal | undefined
  close(): Promise<void>
}

let people = 0
/** On Linux every address of 127.0.0.0/8 is this machine: each person gets one; elsewhere all share one. */
const nextAddress = (): { localAddress?: string } => {
  people += 1
  return process.platform === 'linux'
    ? { localAddress: `127.${1 + (people >> 16)}.${(people >> 8) & 255}.${people & 255}` }
    : {}
}

export function openPerson({ sandbox }: Pick<Service, 'sandbox'>, to: Person['to']): Person {
  const dispatcher = new Agent({ ...nextAddress(), keepAliveTimeout: 1000 })
  const fetch = (request: Request) => {
    const app = typeof person.to === 'function' ? person.to() : person.to
    return app.fetch(request, { dispatcher, ...(person.signal && { signal: person.signal }) })
  }
  const person: Person = {
    browser: new Browser({ bff: { fetch }, sandbox, now: () => Date.now() }),
    to,
    signal: undefined,
    close: () => dispatcher.destroy(),
  }
  return person
}

export function alternate(apps: readonly AppProcess[]): () => AppProcess {
  let requests = 0
  return () => {
    const app = apps[(requests += 1) % apps.length]
    if (app === undefined) throw new Error('there is no app process')
    return app
  }
}

/** Signs in at the service and waits for the session. @throws Error if there is none */
export async function signIn(person: Person, organizationId: string, name = 'Ada'): Promise<void> {
  const { status, body } = await person.browser.signIn(organizationId, name)
  if (status !== 201) throw new Error(`the sign-in answered ${status} ${JSON.stringify(body)}`)
}
