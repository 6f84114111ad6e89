export const press = {
  /** After the label of a button. */
  price: (price: string) => ` · ${price}`,
  free: 'free',
  upTo: (requests: string) => `up to ${requests}`,
  busy: 'Reading…',
  possibleIn: (wait: string) => `Possible again in ${wait}.`,
  offline: 'Not sent: this browser is offline.',
  reserved: 'One of the last requests of the month, kept for signing in.',
  doubtful: 'The month may be used up: it may be refused.',
  refused: 'The month seems to be used up: probably refused.',
  lastRefused: 'The last press was refused.',
  /** Nobody could know it before the press. */
  refusedEarly: (requests: string) => `${requests} spent: the service refused the access token early.`,
}
