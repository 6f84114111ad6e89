import type { Context } from './context.ts'

/** Adds the headers that forbid caching and framing to an answer under /bff or /api. */
export function complete(context: Context, answer: Response): Response {
  for (const [name, value] of context.headers) answer.headers.append(name, value)
  answer.headers.append('Cache-Control', 'no-store')
  answer.headers.append('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  answer.headers.append('Vary', 'Sec-Fetch-Site, Origin')
  return withSecurityHeaders(context, answer)
}

/** For every answer. */
export function withSecurityHeaders(
  { config, requestId, isRequestIdGiven }: Context,
  answer: Response,
): Response {
  if (isRequestIdGiven) answer.headers.append('X-Request-Id', requestId)
  answer.headers.append('X-Content-Type-Options', 'nosniff')
  answer.headers.append('Referrer-Policy', 'no-referrer')
  answer.headers.append('Cross-Origin-Resource-Policy', 'same-origin')
  answer.headers.append('Cross-Origin-Opener-Policy', 'same-origin')
  answer.headers.append('X-Frame-Options', 'DENY')
  answer.headers.append('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  if (config.publicUrl.startsWith('https:'))
    answer.headers.append('Strict-Transport-Security', 'max-age=63072000; includeSubDomains')
  return answer
}
