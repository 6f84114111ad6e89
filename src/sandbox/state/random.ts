/** The only source of random values. The same seed and label give the same value. */
import { createHmac } from 'node:crypto'

/** A secret of 256 bits: 43 characters of base64url. RFC 6749 10.10 asks for 128 bits, better 160. */
export const derive = (random: string, label: string): string =>
  createHmac('sha256', random).update(label).digest('base64url')
