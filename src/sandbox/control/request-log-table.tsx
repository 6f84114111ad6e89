/** @jsxImportSource hono/jsx */
/** The request log as a table: what was requested, what it cost, and where the client misbehaved. */
import type { Cost, RequestLogEntry, Verdict } from '../state/request-log.ts'
import type { DeepReadonly } from '../state/state.ts'
import { CsrfField } from './control-layout.tsx'

/** How many entries a page shows. */
const MOST_SHOWN = 100

const COLUMNS = ['No.', 'Request', 'Rule', 'Cost', 'Credential', 'Verdict']

const VERDICTS: Record<Verdict, string> = {
  refresh_token_used_twice: 'refresh token used twice',
  code_sent_twice: 'code sent twice',
  sent_while_over: 'sent while the limit was used up',
  secret_in_url: 'secret in the address',
  two_credentials: 'two credentials',
  unknown_endpoint: 'no such endpoint',
}

interface RequestLogProps {
  entries: DeepReadonly<RequestLogEntry[]>
  csrfToken: string
}

/** The newest entry first. */
export const RequestLog = ({ entries, csrfToken }: RequestLogProps) => (
  <section class="card" aria-labelledby="request-log">
    <h2 id="request-log">Request log</h2>
    <div class="row">
      <p>{entries.length === 0 ? 'No requests yet.' : summary(entries)}</p>
      {entries.length > 0 && (
        <form method="post">
          <CsrfField csrfToken={csrfToken} />
          <button name="do" value="clear_log">
            Clear log
          </button>
        </form>
      )}
    </div>
    {entries.length > 0 && <Table entries={entries.slice(-MOST_SHOWN).toReversed()} />}
  </section>
)

function summary(entries: RequestLogProps['entries']): string {
  const count = entries.length
  const judged = entries.filter(({ verdict }) => verdict !== undefined).length
  const requests = `${count} ${count === 1 ? 'request' : 'requests'}`
  const shown = count > MOST_SHOWN ? `, the last ${MOST_SHOWN} of them here` : ''
  return `${requests}${shown}; ${judged === 0 ? 'no verdict' : `${judged} with a verdict`}.`
}

const Table = ({ entries }: Pick<RequestLogProps, 'entries'>) => (
  <div class="scroll">
    <table class="request-log">
      <thead>
        <tr>
          {COLUMNS.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Row key={entry.number} entry={entry} />
        ))}
      </tbody>
    </table>
  </div>
)

const Row = ({ entry }: { entry: DeepReadonly<RequestLogEntry> }) => {
  const { number, at_ms, method, path, rule, status, cost, credential, organization_id } = entry
  const verdicts = entry.verdicts ?? (entry.verdict ? [entry.verdict] : [])
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
        {Object.entries({ ...entry.seen.query, ...entry.seen.body }).map(([name, value]) => (
          <small key={name}>
            {name}: {value}
          </small>
        ))}
      </td>
      <td>
        {status ?? 'no answer'} <code>{rule}</code>
      </td>
      <td class="figure">{costText(cost)}</td>
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

const costText = ({ minute, month }: DeepReadonly<Cost>): string =>
  [minute && `1 ${minute}`, month > 0 && `${month} of the month`].filter(Boolean).join(', ') || 'nothing'
