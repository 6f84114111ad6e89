// Compares unnoticed mutants with the equivalent ones in equivalent.json.

/** A mutant, as it can be found again after lines were moved. */
export interface Mutant {
  file: string
  /** The source line on which it begins, without its indentation. */
  line: string
  mutator: string
  replacement: string
}

/** A mutant that behaves as the source does, and the reason. */
export interface Equivalent extends Mutant {
  reason: string
}

const isSame = (a: Mutant, b: Mutant): boolean =>
  a.file === b.file && a.line === b.line && a.mutator === b.mutator && a.replacement === b.replacement

/** Survivors that are not listed, and entries that no longer survive. */
export function compare<S extends Mutant, E extends Mutant>(
  survivors: readonly S[],
  listed: readonly E[],
): { unlisted: S[]; stale: E[] } {
  return {
    unlisted: survivors.filter((survivor) => !listed.some((entry) => isSame(survivor, entry))),
    stale: listed.filter((entry) => !survivors.some((survivor) => isSame(survivor, entry))),
  }
}
