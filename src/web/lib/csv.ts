/** Comma-separated values (RFC 4180) for a spreadsheet. */

/** @returns a line with the names and one for each row, in the order of the names */
export function csvOf<Row extends { [name in keyof Row]?: string | number }>(
  names: readonly (keyof Row & string)[],
  rows: readonly Row[],
): string {
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))]
  return lines.map((fields) => `${fields.map((field) => quote(String(field))).join(',')}\r\n`).join('')
}

/** A spreadsheet runs a field that begins like this as a formula. */
const FORMULA = /^[=+\-@\t\r]/

function quote(field: string): string {
  const harmless = FORMULA.test(field) ? `'${field}` : field
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Gives the text to the person as a file. */
export function saveCsv(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  URL.revokeObjectURL(address)
}
