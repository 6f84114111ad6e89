/** @jsxImportSource hono/jsx */
/** Draws the request log as a table, newest first. */
import type { Cost, RequestLogEntry } from '../state/request-log.ts'
import type { DeepReadonly } from '../state/state.ts'

const MOST_SHOWN = 100
const COLUMNS = ['No.', 'Request', 'Answer', 'Cost', 'Credential', 'Verdict']

type Entry = DeepReadonly<RequestLogEntry>

export const LogTable = ({ entries }: { entries: readonly Entry[] }) => {
  const judged = entries.filter(({ verdict }) => verdict !== undefined).length
  if (entries.length === 0) return <p class="quiet">No requests yet.</p>
  return (
    <>
      <p>
        {entries.length} {entries.length === 1 ? 'request' : 'requests'}
        {entries.length > MOST_SHOWN && `, the last ${MOST_SHOWN} of them here`};{' '}
        {judged === 0 ? 'no verdict' : `${judged} with a verdict`}.
      </p>
      <table>
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
          {entries
            .slice(-MOST_SHOWN)
            .toReversed()
            .map((entry) => (
              <EntryRow key={entry.number} entry={entry} />
            ))}
        </tbody>
      </table>
    </>
  )
}

const EntryRow = ({ entry }: { entry: Entry }) => {
  const { number, at_ms, method, path, rule, status, cost, credential, organization_id, seen } = entry
  return (
    <tr>
      <td>
        {number}
        <small>{new Date(at_ms).toISOString().slice(11, 19)}</small>
      </td>
      <td>
        <code>
          {method} {path}
        </code>
        {Object.entries({ ...seen.query, ...seen.body }).map(([name, value]) => (
          <small key={name}>
            {name}: {value}
          </small>
        ))}
      </td>
      <td>
        {status ?? 'no answer'} <small>{inWords(rule)}</small>
      </td>
      <td>{costText(cost)}</td>
      <td>
        {credential && <code>{credential}</code>}
        {organization_id !== undefined && <small>of {organization_id}</small>}
      </td>
      <td class="error">{(entry.verdicts ?? [entry.verdict ?? '']).map(inWords).join(', ')}</td>
    </tr>
  )
}

/** Spaces in place of underscores, so that a line can break between the words. */
const inWords = (name: string): string => name.replaceAll('_', ' ')

const costText = ({ minute, month }: DeepReadonly<Cost>): string =>
  [minute && `1 ${minute}`, month > 0 && `${month} of the month`].filter(Boolean).join(', ') || 'nothing'
