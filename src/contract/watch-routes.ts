/** The routes that a watch link opens. All but `quota` are followed by `/` and the id of the link. */
export const WATCH = {
  /** Exchanges the secret for a cookie. */
  session: '/watch/session',
  /** Without an id it is for scripts, which send the secret in `Authorization`. */
  quota: '/watch/quota',
  events: '/watch/events',
  days: '/watch/days',
} as const
