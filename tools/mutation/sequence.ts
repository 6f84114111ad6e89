// Decides which test files look for a mutant, and in which order. Vitest runs the longest first, but the
// first failing test ends a mutant.
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Source files by their paths below src, without the ending. */
interface Sources {
  /** The mutated file by the mutant's id, as Stryker wrote it into its copy of the source. */
  mutated: ReadonlyMap<string, string>
  importers: ReadonlyMap<string, readonly string[]>
}

let sources: Sources | undefined

/**
 * The test files of the mutated file, then those of the files that import it, then all others; in each group
 * the fastest first. With MUTATE_NEAREST only the first two groups, and in the run without a mutant, which
 * comes first, those of all mutated files.
 */
export class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is Vitest's own method, which sorts a copy
    const fastestFirst = (await super.sort(files)).toReversed()
    sources ??= readSources()
    const { mutated, importers } = sources
    const { activeMutant } = this.ctx.getRootProject().getProvidedContext() as { activeMutant?: string }
    const name = mutated.get(activeMutant ?? '')
    const own = name === undefined ? [...new Set(mutated.values())] : [name]
    const near = own.flatMap((one) => importers.get(one) ?? [])
    const isOf = (names: readonly string[]) => (file: TestSpecification) => isTestOf(file, names)
    const nearest = [
      ...fastestFirst.filter(isOf(own)),
      ...fastestFirst.filter((file) => isOf(near)(file) && !isOf(own)(file)),
    ]
    if (process.env['MUTATE_NEAREST'] === 'yes') return nearest
    return [...nearest, ...fastestFirst.filter((file) => !nearest.includes(file))]
  }
}

/** A test of `bff/limits/month` is test/bff/limits/month.test.ts, or month-*.test.ts beside it. */
function isTestOf({ moduleId }: TestSpecification, sources: readonly string[]): boolean {
  const test = TEST.exec(moduleId)?.[1] ?? ''
  return sources.some((source) => test === source || test.startsWith(`${source}-`))
}

const TEST = /(?:^|\/)test\/((?:bff|contract|sandbox|serve|store|web)\/.+)\.test\.tsx?$/
const MUTANT = /stryMutAct_\w+\("(\d+)"\)/g
const IMPORT = /from '(\.{1,2}\/[\w./-]+)\.ts'/g

function readSources(): Sources {
  const mutated = new Map<string, string>()
  const importers = new Map<string, string[]>()
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    const source = file.replace(/\.ts$/, '')
    const text = readFileSync(`src/${file}`, 'utf8')
    for (const [, id = ''] of text.matchAll(MUTANT)) mutated.set(id, source)
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      const imported = posix.join(posix.dirname(file), specifier)
      importers.set(imported, [...(importers.get(imported) ?? []), source])
    }
  }
  return { mutated, importers }
}
