import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientAddress } from '../../../src/bff/http/client-address.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001::4:5:6:7:8', '2001:0:0:4::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  [undefined, 'unknown'],
  ['', 'unknown'],
  ['/run/plimsoll.sock', 'unknown'],
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
  ['an empty header', 1, '', SOCKET],
  ['garbage', 1, 'unknown', SOCKET],
  ['garbage in the place that counts', 2, '192.0.2.1, <script>, 10.0.0.2', SOCKET],
  ['an octal address', 1, '0300.0.2.1', SOCKET],
  ['a number too large', 1, '192.0.2.256', SOCKET],
  ['a decimal address', 1, '3221225985', SOCKET],
  ['a port', 1, '192.0.2.1:55123', '192.0.2.1'],
  ['IPv6', 1, '2001:db8:1:2:3::9', '2001:db8:1:2::/64'],
  ['IPv6 in brackets', 1, '[2001:db8:1:2:3::9]', '2001:db8:1:2::/64'],
  ['IPv6 in brackets with a port', 1, '[2001:db8:1:2:3::9]:443', '2001:db8:1:2::/64'],
  ['mapped IPv4', 1, '::ffff:192.0.2.1', '192.0.2.1'],
  ['a text in front of the brackets', 1, 'a[2001:db8::9]', SOCKET],
  ['a text behind the brackets', 1, '[2001:db8::9]a', SOCKET],
  ['IPv6 behind what a URL takes for a user', 1, 'a]@[2001:db8::9', SOCKET],
  ['IPv6 in front of what a URL takes for a path', 1, '2001:db8::9]/a', SOCKET],
])(
  'with %s the address is the one that the trusted proxies saw (RFC 7239 7.1, attack 79)',
  (_, trusted, header, expected) => {
    expect(clientAddress(SOCKET, header, trusted)).toBe(expected)
  },
)

test('no header makes it fail, or gives a name that is no address (RFC 7239 7.4)', () => {
  const letters = fc.constantFrom('1', '2', 'f', ':', '.', ',', ' ', '[', ']', '%', '\u00ff', '/')
  const NAME = /^(\d{1,3}(\.\d{1,3}){3}|[\da-f]{1,4}(:[\da-f]{1,4}){3}::\/64)$/
  fc.assert(
    fc.property(
      fc.string({ unit: letters, maxLength: 60 }),
      fc.integer({ min: 0, max: 4 }),
      (header, trusted) => {
        expect(clientAddress(SOCKET, header, trusted)).toMatch(NAME)
      },
    ),
    { numRuns: 1000 },
  )
})
