import { expect, test } from 'vitest'
import { browserName } from '../../../src/bff/http/browser-name.ts'

const X11 = 'Mozilla/5.0 (X11; Linux x86_64)'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const IPAD = 'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K)'
const CHROMEOS = 'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)'
const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`${X11.replace(')', '; rv:153.0)')} Gecko/20100101 Firefox/153.0`, 'Firefox on Linux'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox on Android'],
  [`${IPHONE} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, 'Firefox on iPhone'],
  [`${WINDOWS} ${KIT} Chrome/156.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`${MAC} ${KIT} Chrome/156.0.0.0 Safari/537.36`, 'Chrome on Mac'],
  [`${ANDROID} ${KIT} Chrome/156.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [`${CHROMEOS} ${KIT} Chrome/156.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
  [`${X11} ${KIT} HeadlessChrome/147.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`${IPAD} CriOS/156.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPad'],
  [`${IPHONE} Version/26.0 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`, 'Safari on Mac'],
  [`${WINDOWS} ${KIT} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`, 'Edge on Windows'],
  [`${ANDROID} ${KIT} Chrome/156.0.0.0 Mobile Safari/537.36 EdgA/156.0.0.0`, 'Edge on Android'],
  [`${WINDOWS} ${KIT} Chrome/155.0.0.0 Safari/537.36 OPR/123.0.0.0`, 'Opera on Windows'],
  [
    `${ANDROID} ${KIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  ['Mozilla/5.0 (X11; FreeBSD amd64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox'],
  [`${X11} ${KIT}`, 'Another browser'],
  ['curl/8.14.1', 'Another browser'],
  ['Linux', 'Another browser'],
  ['', 'Another browser'],
])('%j is %s (RFC 9110 10.1.5)', (userAgent, expected) => {
  expect(browserName(new Headers({ 'User-Agent': userAgent }))).toBe(expected)
})

const CHROME_ON_LINUX = `${X11} ${KIT} Chrome/156.0.0.0 Safari/537.36`

test.each([
  ['"Chromium";v="156", "Brave";v="156", "Not_A Brand";v="99"', '"Linux"', 'Brave on Linux'],
  ['"Not(A:Brand";v="8", "Chromium";v="156", "Google Chrome";v="156"', '"macOS"', 'Chrome on Mac'],
  ['"Microsoft Edge";v="156", "Chromium";v="156"', '"Windows"', 'Edge on Windows'],
  ['"Opera";v="123", "Chromium";v="155"', '"Chrome OS"', 'Opera on ChromeOS'],
  // No brand is known, so User-Agent names the browser.
  ['"Chromium";v="156", "Not A;Brand";v="99"', '""', 'Chrome on Linux'],
])('Sec-CH-UA: %s and platform %s are %s', (brands, platform, expected) => {
  const sent = { 'User-Agent': CHROME_ON_LINUX, 'Sec-CH-UA': brands, 'Sec-CH-UA-Platform': platform }
  expect(browserName(new Headers(sent))).toBe(expected)
})

test('nothing of the text of a header comes out, however it is made up', () => {
  const made = '<img src=x onerror=alert(1)> Firefox/1 Linux canary'
  const sent = { 'User-Agent': made, 'Sec-CH-UA': made, 'Sec-CH-UA-Platform': made }
  expect(browserName(new Headers(sent))).toBe('Firefox on Linux')
  expect(browserName(new Headers({ 'User-Agent': `${'x'.repeat(512)} Firefox/1` }))).toBe('Another browser')
})
