/** The page with this text between its markers `<!-- name -->` and `<!-- /name -->`. */
export function between(page, name, text) {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [from, to] = [page.indexOf(open), page.indexOf(close)]
  if (from === -1 || to < from) throw new Error(`The page has no markers ${open} and ${close}.`)
  return `${page.slice(0, from)}${open}\n\n${text}\n\n${page.slice(to)}`
}
