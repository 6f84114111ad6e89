export const preferences = {
  skip: 'Skip to content',
  language: 'Language',
  /** The choice of none: what the browser is set to. */
  browserLanguage: 'Same as browser',
  notLoaded: 'This language could not be loaded. Try again.',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
}
