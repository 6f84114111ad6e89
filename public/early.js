// Keeps the last press of a button that comes before the page can answer it. Otherwise a form would be sent to
// the server. It is a file, because the content security policy allows no inline script.
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element && event.target.closest('#root button')
  // The browser opens a menu by itself.
  if (!button || button.popoverTargetElement || 'ready' in document.documentElement.dataset) return
  event.preventDefault()
  globalThis.plimsollPressed = button
})
