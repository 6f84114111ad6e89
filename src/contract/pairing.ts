/** Opens a session in a second browser: what the two browsers send and get. */
import { typedNumber, typedText } from './typed-number.ts'

export const PAIRING = {
  /** The first browser: POST offers a code, PUT confirms the number that the second one shows. */
  offer: '/bff/pairing',
  /** The second browser enters the code. */
  claim: '/bff/pairing/claim',
  /** The second browser asks until it is confirmed. */
  session: '/bff/pairing/session',
} as const

export const PAIRING_LIFETIME_SECONDS = 120

/** Without characters that look alike: 0 and O, 1, I and L, U and V. */
export const CODE_CHARACTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
export const CODE_LENGTH = 8
const CODE = new RegExp(`^[${CODE_CHARACTERS}]{${CODE_LENGTH}}$`)
const NUMBERS = { least: 10, most: 99 }

/** The answer of `POST /bff/pairing`. */
export interface PairingOffer {
  code: string
  /** Seconds. */
  expires_in: number
}

/** The answer of `POST /bff/pairing/claim`, and of `POST /bff/pairing/session` until it is confirmed. */
export interface PairingClaim {
  /** Two digits for the first browser. */
  number: string
  /** Seconds. */
  expires_in: number
}

/** As people type it: in any case and width, with blanks and dashes. @returns `undefined` for no code */
export function typedCode(typed: string): string | undefined {
  const code = typedText(typed).replaceAll(/[\s-]/g, '').toUpperCase()
  return CODE.test(code) ? code : undefined
}

/** As {@link typedCode}. */
export const typedPairNumber = (typed: string): string | undefined => typedNumber(typed, NUMBERS)?.toString()
