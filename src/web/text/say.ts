/** The words of what a rule of contract answers. */

/** Makes words of the numbers and instants in a rule's answer. */
export interface Formats {
  number: (value: number) => string
  /** A short wait in seconds. */
  countdown: (ms: number) => string
  ago: (ms: number) => string
  /** An instant, as a day. */
  day: (atMs: number) => string
}

/** The words of each answer that a rule of contract can give. */
export type Dictionary<Words> = { [Key in keyof Words]: (params: Words[Key], formats: Formats) => string }
