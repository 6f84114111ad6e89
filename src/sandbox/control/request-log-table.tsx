/** @jsxImportSource hono/jsx */
/** The ledger as a table: what was asked, what it cost, and where the client should have known better. */
import { CsrfField } from './control-layout.tsx'
import type { Cost, RequestLogEntry, Verdict } from '../state/request-log.ts'
import type { Frozen } from '../state/state.ts'

/** How many lines a page shows. */
const LINES = 100

const VERDICTS: Record<Verdict, string> = {
  refresh_token_used_twice: 'refresh token used twice',
  code_sent_twice: 'code sent twice',
  sent_while_over: 'sent while over',
  secret_in_url: 'secret in the address',
  two_credentials: 'two credentials',
  unknown_endpoint: 'no such endpoint',
}

/** The newest first. */
export const Ledger = ({ lines, csrfToken }: { lines: Frozen<RequestLogEntry[]>; csrfToken: string }) => {
  const wrong = lines.filter(({ verdict }) => verdict !== undefined).length
  return (
    <section class="card" aria-labelledby="ledger">
      <h2 id="ledger">Ledger</h2>
      <div class="row">
        <p>{lines.length === 0 ? 'Nothing was asked yet.' : summary(lines.length, wrong)}</p>
        {lines.length > 0 && (
          <form method="post">
            <CsrfField csrfToken={csrfToken} />
            <button name="do" value="forget">
              Forget
            </button>
          </form>
        )}
      </div>
      {lines.length > 0 && (
        <div class="sheet">
          <table class="ledger">
            <thead>
              <tr>
                {['Nr', 'Request', 'Rule', 'Cost', 'Credential', 'Verdict'].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines
                .slice(-LINES)
                .toReversed()
                .map((line) => (
                  <Line key={line.number} line={line} />
                ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

const summary = (count: number, wrong: number): string =>
  `${count} ${count === 1 ? 'request' : 'requests'}${count > LINES ? `, the last ${LINES} of them here` : ''}; ${wrong === 0 ? 'no verdict' : `${wrong} with a verdict`}.`

const Line = ({ line }: { line: Frozen<RequestLogEntry> }) => {
  const { number, at_ms, method, path, rule, status, cost, credential, organization_id } = line
  const verdicts = line.verdicts ?? (line.verdict ? [line.verdict] : [])
  return (
    <tr>
      <td class="figure">
        {number}
        <small>{new Date(at_ms).toISOString().slice(11, 19)}</small>
      </td>
      <td>
        <code>
          {method} {path}
        </code>
        {Object.entries({ ...line.seen.query, ...line.seen.body }).map(([name, value]) => (
          <small key={name}>
            {name}: {value}
          </small>
        ))}
      </td>
      <td>
        {status ?? 'no answer'} <code>{rule}</code>
      </td>
      <td class="figure">{priceOf(cost)}</td>
      <td>
        {credential && <code>{credential}</code>}
        {organization_id !== undefined && <small>of {organization_id}</small>}
      </td>
      <td>
        {verdicts.map((verdict) => (
          <span key={verdict} class="wrong">
            {VERDICTS[verdict]}
          </span>
        ))}
      </td>
    </tr>
  )
}

const priceOf = ({ minute, month }: Frozen<Cost>): string =>
  [minute && `1 ${minute}`, month > 0 && `${month} of the month`].filter(Boolean).join(', ') || 'nothing'
