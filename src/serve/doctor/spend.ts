/** Sends a made-up code to the token endpoint. Nothing is issued; it shows if the client is accepted. */
import type { UpstreamAnswer } from '../../bff/core/context.ts'
import { createUpstream } from '../../bff/service/upstream.ts'
import { answerMeaning } from '../../contract/answer-meaning.ts'
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { TOKEN_PATH } from '../../contract/token.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import type { Settings } from '../settings/settings.ts'

/** A sign-in ends after ten minutes, and tokens are renewed a minute early. */
const SKEW_MS = 30_000

export const spendQuestion = ({ serviceUrl = '' }: Settings): string =>
  `This sends one request to ${serviceUrl}${TOKEN_PATH}, with the client id and the secret. ` +
  'Whether the service counts it is not documented. Send it? [y/N] '

/** @param now UNIX milliseconds */
export async function examineService(settings: Settings, now: () => number): Promise<Finding[]> {
  const upstream = createUpstream(settings)
  try {
    const sentAtMs = now()
    const answer = await upstream.send(requestOf(settings))
    const middleMs = (sentAtMs + now()) / 2
    const text = await answer.text()
    return [answered(answer, text, now()), ...clock(answer.headers.get('Date'), middleMs)]
  } catch (error) {
    return [
      fault(
        'service',
        `no answer came: ${reasonOf(error)}`,
        'look at PLIMSOLL_SERVICE_URL, and at the firewall of this machine',
      ),
    ]
  } finally {
    await upstream.close()
  }
}

function requestOf({
  serviceUrl,
  publicUrl,
  clientId = '',
  clientSecret = '',
  tokenEncoding,
}: Settings): Request {
  const parameters = {
    grant_type: 'authorization_code',
    code: 'of-an-examination',
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uri: publicUrl + CALLBACK_PATH,
  }
  const isForm = tokenEncoding === 'form'
  return new Request(serviceUrl + TOKEN_PATH, {
    method: 'POST',
    headers: { 'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
    body: isForm ? new URLSearchParams(parameters).toString() : JSON.stringify(parameters),
    redirect: 'manual',
  })
}

function answered({ status, headers }: UpstreamAnswer, text: string, serviceNowMs: number): Finding {
  const { code } = answerMeaning({ kind: 'token.code', status, headers, text }, { serviceNowMs })
  if (code === 'code_rejected')
    return ok('application', 'the service accepts the client id and the secret, and refuses the made-up code')
  if (code === 'client_rejected')
    return fault(
      'application',
      'the service does not accept the client id or the secret',
      'copy both from the settings screen of the application',
    )
  if (status === 404 || status === 405)
    return fault(
      'service',
      `there is no token endpoint: status ${status}`,
      'set PLIMSOLL_SERVICE_URL to {base_url} of the service, without a path of one endpoint',
    )
  if (status === 415)
    return fault(
      'service',
      'it does not read this encoding of token requests: status 415',
      'set PLIMSOLL_TOKEN_ENCODING to the other one',
    )
  return fault(
    'service',
    `its answer has no meaning here: status ${status}`,
    'compare with the document of the service',
  )
}

function clock(date: string | null, middleMs: number): Finding[] {
  const serviceMs = Date.parse(date ?? '')
  if (Number.isNaN(serviceMs))
    return [warning('clock', 'the service sends no Date, so its clock is not known', 'nothing')]
  const skewMs = serviceMs - middleMs
  const seconds = Math.abs(Math.round(skewMs / 1000))
  const text = `the clock of the service is ${seconds} s ${skewMs < 0 ? 'behind' : 'ahead'}`
  if (Math.abs(skewMs) <= SKEW_MS) return [ok('clock', text)]
  return [warning('clock', text, 'let NTP set the clock of this machine')]
}

/** Never a text that may contain what was sent. */
const reasonOf = (error: unknown): string => {
  const { code, name, cause } = error as { code?: string; name: string; cause?: unknown }
  return code ?? (cause instanceof Error ? reasonOf(cause) : name)
}
