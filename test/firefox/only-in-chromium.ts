/** The tests that Firefox cannot run, each with the reason. They are reported as such, and not as skipped. */
export const ONLY_IN_CHROMIUM: Readonly<Record<string, string>> = {
  'a phone’s page moves nothing while it loads, after a sign-in and after a reload (D10)':
    'Firefox does not measure layout shifts',
  'where scripts are turned off the page states that it needs them, in each language (D9)':
    'WebDriver BiDi cannot turn scripts off in Firefox',
}
