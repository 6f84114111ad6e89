/** The tests that Firefox cannot run, with the reason. They are reported as such, and not as skipped. */
export const ONLY_IN_CHROMIUM: Readonly<Record<string, string>> = {
  'on a phone nothing moves while the page loads, after a sign-in and after a reload (D10)':
    'Firefox does not measure layout shifts',
  'without scripts the page says that it needs them, in each language (D9)':
    'WebDriver BiDi cannot turn scripts off in Firefox',
}
