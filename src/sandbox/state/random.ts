/** The only source of chance: the same seed and label give the same value, and no other seed does. */
import { createHmac } from 'node:crypto'

/** A value nobody can guess: 256 bits as 43 characters of base64url (RFC 6749 10.10 asks for 128, better 160). */
export const derive = (random: string, label: string): string =>
  createHmac('sha256', random).update(label).digest('base64url')
