/** Texts and numbers as people type or paste them: in any width, with blanks and marks without width. */

/** Half-width (NFKC), without what nobody sees. */
export const typedText = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .trim()

/** @returns the whole number if it is from `least` to `most`; else `undefined` */
export function typedNumber(
  typed: string,
  { least, most }: { least: number; most: number },
): number | undefined {
  const text = typedText(typed)
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN
  return number >= least && number <= most ? number : undefined
}
