/** The headers of a request of the page. */
export const headersOf = (cookie) => ({ Cookie: cookie, 'X-CSRF': '1', 'Sec-Fetch-Site': 'same-origin' })
