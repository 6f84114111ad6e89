/** @jsxImportSource hono/jsx */
/** Draws the request log as a table: each request, its answer, its cost and the mistakes of the client. */
import type { Cost, RequestLogEntry, Verdict } from '../state/request-log.ts'
import type { DeepReadonly } from '../state/state.ts'
import { CsrfField, Select } from './control-layout.tsx'
import { ANSWER_FILTERS, filterLog, filterOf, KIND_FILTERS } from './request-log-filter.ts'

const MOST_SHOWN = 100

const COLUMNS = ['No.', 'Request', 'Answer', 'Cost', 'Credential', 'Verdict']

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
  query: URLSearchParams
  csrfToken: string
}

/** The newest entry comes first. */
export const RequestLog = ({ entries, query, csrfToken }: RequestLogProps) => {
  const shown = filterLog(entries, query)
  return (
    <section class="card" aria-labelledby="request-log">
      <div class="between">
        <h2 id="request-log">Request log</h2>
        {entries.length > 0 && (
          <form method="post">
            <CsrfField csrfToken={csrfToken} />
            <button name="do" value="clear_log">
              Clear log
            </button>
          </form>
        )}
      </div>
      {entries.length > 0 && <FilterForm query={query} />}
      <p>{entries.length === 0 ? 'No requests yet.' : summary(entries, shown)}</p>
      {shown.length > 0 && <Table entries={shown.slice(-MOST_SHOWN).toReversed()} />}
    </section>
  )
}

const FilterForm = ({ query }: Pick<RequestLogProps, 'query'>) => (
  <form method="get" action="#request-log" class="row">
    <Select
      label="Requests"
      name="kind"
      selected={filterOf(query, 'kind', KIND_FILTERS)}
      options={Object.entries(KIND_FILTERS).map(([value, { name }]) => [value, name])}
    />
    <Select
      label="Answers"
      name="answer"
      selected={filterOf(query, 'answer', ANSWER_FILTERS)}
      options={Object.entries(ANSWER_FILTERS).map(([value, { name }]) => [value, name])}
    />
    <button>Filter</button>
  </form>
)

function summary(entries: RequestLogProps['entries'], shown: RequestLogProps['entries']): string {
  const count = shown.length
  const judged = shown.filter(({ verdict }) => verdict !== undefined).length
  const of = count === entries.length ? '' : ` of ${entries.length}`
  const requests = `${count}${of} ${entries.length === 1 ? 'request' : 'requests'}`
  const last = count > MOST_SHOWN ? `, the last ${MOST_SHOWN} of them here` : ''
  return `${requests}${last}; ${judged === 0 ? 'no verdict' : `${judged} with a verdict`}.`
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
          <EntryRow key={entry.number} entry={entry} />
        ))}
      </tbody>
    </table>
  </div>
)

const EntryRow = ({ entry }: { entry: DeepReadonly<RequestLogEntry> }) => {
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
        <SeenParameters entry={entry} />
      </td>
      <td>
        <span class={`status s${String(status ?? 0).slice(0, 1)}`}>{status ?? 'no answer'}</span>{' '}
        <small>
          <code>{rule}</code>
        </small>
      </td>
      <td class="figure">{costText(cost)}</td>
      <td>
        {credential && <code>{credential}</code>}{' '}
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

const SeenParameters = ({ entry: { seen } }: { entry: DeepReadonly<RequestLogEntry> }) => {
  const parameters = Object.entries({ ...seen.query, ...seen.body })
  if (parameters.length === 0) return null
  return (
    <details>
      <summary>
        {parameters.length} {parameters.length === 1 ? 'parameter' : 'parameters'}
      </summary>
      {parameters.map(([name, value]) => (
        <small key={name}>
          {name}: {value}
        </small>
      ))}
    </details>
  )
}

const costText = ({ minute, month }: DeepReadonly<Cost>): string =>
  [minute && `1 ${minute}`, month > 0 && `${month} of the month`].filter(Boolean).join(', ') || 'nothing'
