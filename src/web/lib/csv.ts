/** Comma-separated values (RFC 4180) for a spreadsheet. */

/** @returns a line with the names and one for each row, in the order of the names */
export function csvOf<Row extends { [name in keyof Row]?: string | number | undefined }>(
  names: readonly (keyof Row & string)[],
  rows: readonly Row[],
): string {
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))]
  return lines.map((fields) => `${fields.map((field) => quote(String(field))).join(',')}\r\n`).join('')
}

/**
 * A spreadsheet runs a cell that begins like this as a formula. It may also split a field at `;`, tab or comma:
 * quotes do not prevent that, because they hold only where a cell begins with one.
 */
const FORMULA = /(?<=^|[,;\t\r\n])(?=["\s]*[-=+@＝＋－＠]|[\t\r])/g

function quote(field: string): string {
  const harmless = field.replaceAll(FORMULA, "'")
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Gives the text to the person as a file. Without its byte order mark, Excel does not read UTF-8. */
export function saveCsv(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }))
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  URL.revokeObjectURL(address)
}
