export const press = {
  /** After the label of a button. */
  price: (price: string) => ` · ${price}`,
  /** Before it, while little is left. */
  priceFirst: (price: string, label: string) => `Uses ${price} · ${label}`,
  uses: (price: string) => `uses ${price}`,
  upTo: (requests: string) => `up to ${requests}`,
  of: (count: string, left: string) => `${count} of ${left}`,
  ofAtMost: (count: string, left: string) => `${count} of at most ${left}`,
  busy: 'Reading…',
  /** In place of the price. */
  heldFor: (wait: string) => `in ${wait}`,
  possibleIn: (wait: string) => `Possible again in ${wait}.`,
  offline: 'Not sent: this browser is offline.',
  reserved: 'One of the last requests of the month, kept for signing in.',
  doubtful: 'The month may be used up: it may be refused.',
  refused: 'The month seems to be used up: probably refused.',
  lastRefused: 'Your last request was refused.',
  /** Nobody could know it before the press. */
  refusedEarly: (requests: string) => `${requests} used: the service refused the access token early.`,
}
