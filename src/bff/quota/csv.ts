/** Comma-separated values (RFC 4180) for a spreadsheet. */
import { Problem } from '../../contract/problem.ts'
import { queryParameters } from '../http/input.ts'

/**
 * Reads the parameters of a list that a person may also save as a file.
 * @throws Problem `invalid_request` for another format, and for other parameters than these
 */
export function listParameters<Name extends string = never>(
  request: Request,
  names: readonly Name[] = [],
): { [name in Name]?: string } & { isCsv: boolean } {
  const { format, ...others } = queryParameters<Name | 'format'>(request, [...names, 'format'])
  if (format !== undefined && format !== 'csv')
    throw new Problem('invalid_request', { fault: 'format_unknown' })
  return { ...(others as { [name in Name]?: string }), isCsv: format === 'csv' }
}

type Row<Name extends string> = { readonly [name in Name]?: string | number | undefined }

/** Without its byte order mark, Excel does not read UTF-8. */
export const csvAnswer = <Name extends string>(
  names: readonly Name[],
  rows: readonly Row<Name>[],
): Response =>
  new Response(`\uFEFF${csvOf(names, rows)}`, { headers: { 'Content-Type': 'text/csv; charset=utf-8' } })

/** @returns a line with the names and one for each row, in the order of the names */
export function csvOf<Name extends string>(names: readonly Name[], rows: readonly Row<Name>[]): string {
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))]
  return lines.map((fields) => `${fields.map((field) => quote(String(field))).join(',')}\r\n`).join('')
}

/**
 * A spreadsheet runs a cell that begins like this as a formula. It may also split a field at `;`, tab or
 * comma: quotes do not prevent that, because they hold only where a cell begins with one.
 */
const FORMULA = /(?<=^|[,;\t\r\n])(?=["\s]*[-=+@＝＋－＠]|[\t\r])/g

function quote(field: string): string {
  const harmless = field.replaceAll(FORMULA, "'")
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
