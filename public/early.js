// Keeps a press that comes before the page can answer it.
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element && event.target.closest('#root button')
  if (!button || button.popoverTargetElement || 'ready' in document.documentElement.dataset) return
  event.preventDefault()
  globalThis.plimsollPressed = button
})
