/** The tests that Firefox cannot run, with the reason. They are reported as such, and not as skipped. */
export const ONLY_IN_CHROMIUM: Readonly<Record<string, string>> = {
  'without scripts a notice is in place of the page, which would do nothing, also of a session (D9)':
    'WebDriver BiDi cannot turn scripts off in Firefox',
}
