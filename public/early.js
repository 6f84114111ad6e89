// Keeps a press until the page can answer it.
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element && event.target.closest('#root button')
  if (!button || button.popoverTargetElement || 'ready' in document.documentElement.dataset) return
  event.preventDefault()
  globalThis.plimsollPressed = button
})

// A held Enter key would press a button again and again, and a press may cost a request.
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && event.repeat) event.preventDefault()
})

// In place of a page that could not be loaded.
const fail = () => {
  const root = document.querySelector('#root')
  root?.replaceChildren(document.querySelector('template')?.content.cloneNode(true) ?? '')
  root?.querySelector('button')?.addEventListener('click', () => location.reload())
}
globalThis.plimsollFailed = fail
document.addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && fail(), true)

// On a wall nobody presses the button of a notice: once the server answers, the page loads anew by itself.
const reload = () =>
  document.querySelector('[role="alert"] button, [role="alert"] + button') &&
  void fetch('/early.js', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok && location.reload(),
    () => {},
  )
if (location.href.includes('?wall')) setInterval(reload, 30_000)
