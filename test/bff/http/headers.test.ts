import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { browserName } from '../../../src/bff/http/browser-name.ts'
import { clientAddress, givenRequestId, newRequestId } from '../../../src/bff/http/client-address.ts'
import { accepted, entityTagOf, isNamed } from '../../../src/bff/http/representation.ts'

const X11 = 'Mozilla/5.0 (X11; Linux x86_64)'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const IPAD = 'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K)'
const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`${X11.replace(')', '; rv:153.0)')} Gecko/20100101 Firefox/153.0`, 'Firefox on Linux'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox on Android'],
  [`${WINDOWS} ${KIT} Chrome/156.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`${MAC} ${KIT} Chrome/156.0.0.0 Safari/537.36`, 'Chrome on Mac'],
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
  ['curl/8.14.1', 'Another browser'],
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

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['2001::4:5:6:7:8', '2001:0:0:4::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::', '::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b::/64'],
  [undefined, 'unknown'],
  ['', 'unknown'],
])('the socket address %s is limited as %s (RFC 6177)', (socket, expected) => {
  expect(clientAddress(socket, null, 0)).toBe(expected)
})

test('a number of an IPv4 address is from 0 to 255 (RFC 3986 3.2.2)', () => {
  for (let number = 0; number < 1000; number += 1) {
    const [first, last] = [`${number}.1.2.3`, `1.2.3.${number}`]
    expect(clientAddress(first, null, 0)).toBe(number < 256 ? first : 'unknown')
    expect(clientAddress(last, null, 0)).toBe(number < 256 ? last : 'unknown')
  }
})

const SOCKET = '10.0.0.1'
test.each([
  ['no proxy is trusted, so that the header is not read', 0, '192.0.2.1', SOCKET],
  ['one proxy', 1, '192.0.2.1', '192.0.2.1'],
  ['entries of the client in front of it', 1, '198.51.100.9, 203.0.113.5,192.0.2.1', '192.0.2.1'],
  ['two proxies', 2, '198.51.100.9, 192.0.2.1, 10.0.0.2', '192.0.2.1'],
  ['fewer entries than proxies', 3, '192.0.2.1, 10.0.0.2', SOCKET],
  ['no header', 1, null, SOCKET],
  ['garbage in the place that counts', 2, '192.0.2.1, <script>, 10.0.0.2', SOCKET],
  ['an octal address', 1, '0300.0.2.1', SOCKET],
  ['a port', 1, '192.0.2.1:55123', '192.0.2.1'],
  ['IPv6 in brackets', 1, '[2001:db8:1:2:3::9]', '2001:db8:1:2::/64'],
  ['IPv6 in brackets with a port', 1, '[2001:db8:1:2:3::9]:443', '2001:db8:1:2::/64'],
  ['mapped IPv4', 1, '::ffff:192.0.2.1', '192.0.2.1'],
  ['a text in front of the brackets', 1, 'a[2001:db8::9]', SOCKET],
  ['a text behind the brackets', 1, '[2001:db8::9]a', SOCKET],
  ['IPv6 behind what a URL takes for a user', 1, 'a]@[2001:db8::9', SOCKET],
  ['IPv6 in front of what a URL takes for a path', 1, '2001:db8::9]/a', SOCKET],
])(
  'with %s the address is that which trusted proxies saw (RFC 7239 7.1, attack 79)',
  (_, trusted, header, expected) => expect(clientAddress(SOCKET, header, trusted)).toBe(expected),
)

test('no header makes it fail, or gives a name that is no address (RFC 7239 7.4)', () => {
  const unit = fc.constantFrom(...'12f:., []%\u00ff/'.split(''))
  const NAME = /^(\d{1,3}(\.\d{1,3}){3}|([\da-f]{1,4}(:[\da-f]{1,4}){0,3})?::\/64)$/
  const sent = fc.tuple(fc.string({ unit, maxLength: 60 }), fc.integer({ min: 0, max: 4 }))
  const named = fc.property(sent, ([header, trusted]) => {
    expect(clientAddress(SOCKET, header, trusted)).toMatch(NAME)
  })
  fc.assert(named, { numRuns: 1000 })
})

const IDS = [
  '7',
  '0f8fad5b-d9cb-469f-a165-708677289501',
  'Root=1-67891233-abcdef01',
  'q83v+/8=',
  'a'.repeat(64),
]
const NO_IDS = [null, '', 'a'.repeat(65), 'a b', 'a, b', 'a"b', 'a\nb', '<a>', 'ä', '\u2028']
test.each([...IDS, ...NO_IDS])(
  'a trusted proxy gives a request the id %j, if it looks like one (operations)',
  (header) => {
    const id = IDS.find((one) => one === header)
    expect([0, 1, 3].map((trusted) => givenRequestId(header, trusted))).toEqual([undefined, id, id])
  },
)

test('an id of our own has 12 digits, and each another one (operations)', () => {
  const ids = Array.from({ length: 100 }, newRequestId)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{12}$/)
  expect(new Set(ids).size).toBe(100)
})

test.each([
  [null, []],
  [' , ,', []],
  ['gzip, deflate, br', ['gzip', 'deflate', 'br']],
  ['GZIP', ['gzip']],
  ['a;q=0.1, b, c;q=0.5, d', ['b', 'd', 'c', 'a']],
  ['a ; Q=0.2 ,b;x=1;q=0.9', ['b', 'a']],
  ['a;q=0.5, b;x=1;q=0.4', ['a', 'b']],
  ['a;q=0, b;q=0.000, c;q=0.001, d;q=none', ['c']],
])('of %j these are accepted: %j (RFC 9110 12.4.2)', (field, names) => {
  expect(accepted(field)).toEqual(names)
})

const bytes = (text: string) => new TextEncoder().encode(text)

test('a tag is strong, and the same only for the same content (RFC 9110 8.8.1, 8.8.3)', () => {
  const script = bytes('a script')
  const tag = entityTagOf(script)
  expect(tag).toMatch(/^"[\w-]{27}"$/)
  expect(entityTagOf('a script')).toBe(tag)
  expect(entityTagOf(bytes('another'))).not.toBe(tag)
})

test.each([
  [null, false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b"', false],
  ['a', false],
  ['"b",W/"a" ,"c"', true],
  [', "a",', true],
  // A comma may be in a tag.
  ['"a,", ",a"', false],
  ['"b,a", "a"', true],
  // What Apache and others append to the tag of what they compress.
  ['"a-gzip"', true],
  ['W/"a--gzip"', true],
  ['"a-gzip-x"', false],
  ['*', true],
  ['"*"', false],
  ['"a', false],
] as const)('If-None-Match: %s names "a": %j (RFC 9110 13.1.2)', (field, expected) => {
  expect(isNamed(field, '"a"')).toBe(expected)
})
