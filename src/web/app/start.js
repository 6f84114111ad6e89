// Runs beside the modules of the page, and before the first paint if a person has chosen a theme or a
// language. It is a file, because the content security policy allows no inline script.
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
  // This browser will show something else than the server sent: nothing is shown until then.
  const isOther = (stored('language') ?? lang) !== lang
  const isFirst = dataset.shown === undefined
  if (isFirst && (isOther || (dataset.page === 'sign-in' && (history.state || stored('organizations')))))
    dataset.shown = 'later'
  // The modules take the answers over.
  const paths = dataset.page === 'page' ? ['/bff/session', '/bff/quota'] : ['/bff/session']
  const options = { headers: { 'X-CSRF': '1' }, cache: 'no-store', redirect: 'error' }
  if (isFirst && !/^\/(callback$|pair$|watch\/)/.test(location.pathname))
    globalThis.plimsollEarly = new Map(
      paths.map((path) => {
        const answer = fetch(path, options)
        // The module that takes the answer shows the failure.
        answer.catch(() => {})
        return [path, answer]
      }),
    )
  // A press before the modules are here waits for them. Otherwise it would send the form to the server, and
  // the typed text would be lost.
  document.addEventListener('click', (event) => {
    const isHere = dataset.shown === 'now' || !(event.target instanceof Element)
    const button = isHere ? null : event.target.closest('#root button')
    // The browser opens a menu by itself.
    if (button === null || button.hasAttribute('popovertarget')) return
    event.preventDefault()
    globalThis.plimsollPressed = button
  })
}
