// Starts the longest test files first, so that none of them runs alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** A fresh clone has no known durations, so vitest would sort by size; these are slow for their size. */
const LONGEST = [
  'stress stress',
  'stress backup',
  'long proof',
  'browser states-member',
  'browser states',
  'browser states-others',
  'browser stop',
]

const rankOf = ({ project, moduleId }: TestSpecification): number => {
  const at = LONGEST.findIndex((one) => {
    const [name, file] = one.split(' ')
    return project.name === name && moduleId.endsWith(`/${file}.test.ts`)
  })
  return at === -1 ? LONGEST.length : at
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is Vitest's own method, which sorts a copy
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
