/** The tests that Firefox cannot run, with the reason. They are reported as such, and not as skipped. */
export const ONLY_IN_CHROMIUM: Readonly<Record<string, string>> = {
  'on a phone nothing moves while the page loads, after a sign-in and after a reload (D10)':
    'Firefox does not measure layout shifts',
  'without scripts a card is in place of the page, which would do nothing, in each language (D9)':
    'WebDriver BiDi cannot turn scripts off in Firefox',
}
