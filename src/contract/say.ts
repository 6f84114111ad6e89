/** The answer of a rule that a person reads: a key, for which each language has the words. */

/** Decides colour and shape. */
export type Tone = 'ok' | 'low' | 'none' | 'unknown'

/** @typeParam Words each key, with the values that its words show; instants are the server's, UNIX ms */
export type Say<Words> = { [Key in keyof Words]: { tone: Tone; key: Key; params: Words[Key] } }[keyof Words]
