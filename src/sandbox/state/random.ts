/** The only source of random values: the same seed and label give the same value. */
import { createHmac } from 'node:crypto'

/** A value that cannot be guessed: 256 bits as 43 characters of base64url (RFC 6749 10.10 asks for 128, better 160). */
export const derive = (random: string, label: string): string =>
  createHmac('sha256', random).update(label).digest('base64url')
