/** Sends a made-up code to the token endpoint. Nothing is issued; it shows if the client is accepted. */
import { createUpstream } from '../../bff/service/upstream.ts'
import { encode, redirectUri } from '../../bff/token/token.ts'
import { answerMeaning } from '../../contract/answer-meaning.ts'
import { TOKEN_PATH } from '../../contract/token.ts'
import type { Settings } from '../settings/settings.ts'
import type { Check } from './checks.ts'

/** A sign-in ends after ten minutes, and tokens are renewed a minute early. */
const SKEW_SECONDS = 30

export const spendQuestion = ({ serviceUrl = '' }: Settings): string =>
  `This sends one request to ${serviceUrl}${TOKEN_PATH}, with the client id and the secret. ` +
  'Whether the service counts it is not documented. Send it? [y/N] '

interface Answered {
  /** Why there is no answer. */
  failure?: string
  status?: number
  code?: string
  /** How far its clock is ahead; NaN without a Date. */
  skewSeconds?: number
}

/** @param now UNIX milliseconds */
export async function askService(settings: Settings, now: () => number): Promise<Answered> {
  const upstream = createUpstream(settings)
  try {
    const sentAtMs = now()
    const answer = await upstream.send(requestOf(settings))
    const middleMs = (sentAtMs + now()) / 2
    const { status, headers } = answer
    const sent = { kind: 'token.code', status, headers, text: await answer.text() } as const
    const { code } = answerMeaning(sent, { serviceNowMs: now() })
    const skewMs = Date.parse(headers.get('Date') ?? '') - middleMs
    return { status, code, skewSeconds: Math.round(skewMs / 1000) }
  } catch (error) {
    return { failure: reasonOf(error) }
  } finally {
    await upstream.close()
  }
}

function requestOf(settings: Settings): Request {
  const { serviceUrl, clientId = '', clientSecret = '' } = settings
  const parameters = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'of-an-examination',
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uri: redirectUri(settings),
  })
  const form = new Headers({ 'Content-Type': 'application/x-www-form-urlencoded' })
  return new Request(serviceUrl + TOKEN_PATH, { method: 'POST', ...encode(settings, form, parameters) })
}

/** Never a text that may contain what was sent. */
const reasonOf = (error: unknown): string => {
  const { code, name, cause } = error as { code?: string; name: string; cause?: unknown }
  return code ?? (cause instanceof Error ? reasonOf(cause) : name)
}

export const SPEND_CHECKS: readonly Check<Answered>[] = [
  {
    about: 'service',
    test: ({ code }) =>
      code === 'client_rejected' && 'the service does not accept the client id or the secret',
    advice: 'copy both from the settings screen of the application',
  },
  {
    about: 'service',
    test: ({ failure, status, code = '' }) =>
      !['code_rejected', 'client_rejected'].includes(code) &&
      (failure ? `no answer came: ${failure}` : `it is no answer of a token endpoint: status ${status}`),
    advice: 'look at PLIMSOLL_SERVICE_URL, at PLIMSOLL_TOKEN_ENCODING, and at the firewall of this machine',
  },
  {
    level: 'warning',
    about: 'clock',
    test: ({ skewSeconds = 0 }) =>
      Math.abs(skewSeconds) > SKEW_SECONDS &&
      `that of the service is ${Math.abs(skewSeconds)} s ${skewSeconds < 0 ? 'behind' : 'ahead'}`,
    advice: 'let NTP set the clock of this machine',
  },
]
