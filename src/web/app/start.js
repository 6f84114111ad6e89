// Runs beside the modules of the page, and before the first paint where a person has chosen a theme or a language. A file, since the
// content security policy allows no inline script.
{
  const { dataset, lang } = document.documentElement
  const stored = (name) => {
    try {
      return localStorage.getItem(`plimsoll.${name}`)
    } catch {
      // The storage is refused.
      return null
    }
  }
  const theme = stored('theme')
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  const isLeaving = stored('sign-out') !== null
  // What the server sent is not what this browser will show, and is not shown until then.
  const isOther = isLeaving || (stored('language') ?? lang) !== lang
  const isFirst = dataset.shown === undefined
  if (isFirst && (isOther || (dataset.page === 'sign-in' && (history.state || stored('organizations')))))
    dataset.shown = 'later'
  // The modules take the answers over.
  const paths = dataset.page === 'page' ? ['/bff/session', '/bff/quota'] : ['/bff/session']
  const options = { headers: { 'X-CSRF': '1' }, cache: 'no-store', redirect: 'error' }
  if (isFirst && !isLeaving && location.pathname !== '/callback')
    globalThis.plimsollEarly = new Map(
      paths.map((path) => {
        const answer = fetch(path, options)
        // Who takes it over shows the failure.
        answer.catch(() => {})
        return [path, answer]
      }),
    )
}
