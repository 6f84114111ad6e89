// Which test files look for a mutant, and in which order. Vitest runs the longest first; a mutant is done with at the first that fails.
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Names of the mutated source files, by the mutant's id, as Stryker wrote it into its copy of the source. */
let names: Map<string, string> | undefined

/**
 * The test files of the mutated file, then the others, the fastest first. With MUTATE_NEAREST those of the mutated file alone,
 * and those of all mutated files in the run without a mutant, which comes first.
 */
export class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is Vitest's own method, which sorts a copy
    const fastestFirst = (await super.sort(files)).toReversed()
    names ??= readNames()
    const { activeMutant } = this.ctx.getRootProject().getProvidedContext() as { activeMutant?: string }
    const name = names.get(activeMutant ?? '')
    const wanted = name === undefined ? [...new Set(names.values())] : [name]
    const isNearest = ({ moduleId }: TestSpecification) => {
      const test = basename(moduleId).split('.')[0] ?? ''
      return wanted.some((source) => test === source || test.startsWith(`${source}-`))
    }
    const nearest = fastestFirst.filter(isNearest)
    if (process.env['MUTATE_NEAREST'] === 'yes') return nearest
    return [...nearest, ...fastestFirst.filter((file) => !isNearest(file))]
  }
}

const readNames = () =>
  new Map(
    readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) =>
        [...readFileSync(`src/${file}`, 'utf8').matchAll(/stryMutAct_\w+\("(\d+)"\)/g)].map(
          ([, id = '']) => [id, basename(file, '.ts')] as const,
        ),
      ),
  )
