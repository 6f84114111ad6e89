// Sets the chosen theme before the first paint. A file, since the content security policy allows no inline script.
try {
  const theme = localStorage.getItem('plimsoll.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // The storage is refused: the system decides.
}
