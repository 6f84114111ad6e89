/** The query string of a request to a route that takes few parameters, or none. */
import type { Inbound } from '../../contract/answer.ts'
import { Problem } from '../../contract/problem.ts'

/** The parameters of these names, as they are given. @throws Problem `invalid_request` for any other, and for one that is given twice */
export function queryParameters<Name extends string = never>(
  request: Inbound,
  names: readonly Name[] = [],
): { [name in Name]?: string } {
  const { searchParams } = new URL(request.url)
  const given = [...searchParams.keys()]
  if (given.some((name) => !names.includes(name as Name)))
    throw new Problem('invalid_request', { fault: 'unknown_parameter', known: names })
  if (new Set(given).size < given.length)
    throw new Problem('invalid_request', { fault: 'repeated_parameter' })
  return Object.fromEntries(searchParams) as { [name in Name]?: string }
}
