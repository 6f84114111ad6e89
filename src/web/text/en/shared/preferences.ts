export const preferences = {
  skip: 'Skip to content',
  language: 'Language',
  /** The choice of none: the browser's language, the system's theme. */
  automatic: 'Automatic',
  notLoaded: 'This language could not be loaded. Try again.',
  theme: 'Theme',
  themes: { light: 'Light', dark: 'Dark' },
}
