// Runs Stryker over one part after the other, writes docs/mutation.md, and checks the survivors.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { type Command, readCommand, type Run, USAGE } from './command.ts'
import { type Count, countsIn, misses, replaceSection, section, update } from './score.ts'
import { compare, type Equivalent, type Mutant } from './survivors.ts'

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

const EQUIVALENT = 'tools/mutation/equivalent.json'
const DOCUMENT = 'docs/mutation.md'

/** @returns 0 if every survivor is listed and every threshold met, 1 if not, 2 for a wrong command */
export async function mutate(args: string[]): Promise<number> {
  const command = readCommand(args)
  if (typeof command === 'string') {
    console.log(command)
    return command === USAGE ? 0 : 2
  }
  // A zone other than UTC, so that tests notice a time that is read in local time.
  process.env['TZ'] = 'Pacific/Chatham'
  if (command.tests) process.env['MUTATE_TESTS'] = command.tests.join(',')
  const complaints: string[] = []
  for (const run of command.runs) {
    try {
      complaints.push(...(await runPart(run, command)))
    } catch (error) {
      complaints.push(`${run.part.name} was not run: ${(error as Error).message}`)
    }
  }
  for (const complaint of complaints) console.log(complaint)
  return complaints.length > 0 ? 1 : 0
}

async function runPart(run: Run, command: Command): Promise<string[]> {
  const { part, files } = run
  process.env['MUTATE_PART'] = part.name
  const results = await runStages(run, command)
  const document = readFileSync(DOCUMENT, 'utf8')
  // Rows and entries of files that were not run stay.
  const former =
    files === undefined ? [] : countsIn(document, part.name).filter(({ file }) => existsSync(file))
  const counts = update(former, countByFile(results))
  const ofPart = (JSON.parse(readFileSync(EQUIVALENT, 'utf8')) as Equivalent[]).filter(({ file }) =>
    file.startsWith(`${part.folder}/`),
  )
  const listed = ofPart.filter(({ file }) => files?.includes(file) ?? true)
  const { unlisted, stale } = compare(results.filter(isSurvivor).map(toMutant), listed)
  const equivalent = ofPart.filter((entry) => !stale.includes(entry))
  writeFileSync(DOCUMENT, replaceSection(document, part.name, section(part.name, counts, equivalent)))
  if (part.atLeast === undefined) return []
  return [
    ...unlisted.map(({ at, ...mutant }) => `survived, at ${at}: ${JSON.stringify(mutant)}`),
    ...stale.map((entry) => `in ${EQUIVALENT}, but no longer a survivor: ${JSON.stringify(entry)}`),
    ...misses(part.name, counts, part.atLeast),
  ]
}

/** First the nearest tests (sequence.ts) look for each mutant, then all tests look for the survivors. */
async function runStages({ part, files }: Run, { concurrency, nearest }: Command): Promise<MutantResult[]> {
  const runStage = (mutate: string[]) =>
    new Stryker({ ...options(report(part.name, files), concurrency), mutate }).runMutationTest()
  const all = files ?? [`${part.folder}/**/*.ts`]
  if (process.env['MUTATE_TESTS']) return runStage(all)
  process.env['MUTATE_NEAREST'] = 'yes'
  const first = await runStage(all)
  delete process.env['MUTATE_NEAREST']
  const left = first.filter(isSurvivor)
  console.log(`${left.length} of ${first.length} mutants are left for all tests`)
  if (nearest || left.length === 0) return first
  const second = new Map((await runStage(left.map(rangeOf))).map((result) => [placeOf(result), result]))
  return first.map((result) => (isSurvivor(result) && second.get(placeOf(result))) || result)
}

/**
 * The place of a mutant, for Stryker's `mutate`: columns from 0. A range also contains the mutants inside it.
 */
const rangeOf = ({ fileName, location: { start, end } }: MutantResult) =>
  `${relative('.', fileName)}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`

const placeOf = (result: MutantResult) =>
  `${rangeOf(result)} ${result.mutatorName} ${result.replacement ?? ''}`

const options = (reportName: string, concurrency: number) => ({
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
  // Stryker 9 reads this file with an old interface of TypeScript that TypeScript 7 lacks, so it gets a file
  // that does not exist.
  tsconfigFile: 'reports/no-tsconfig.json',
  disableTypeChecks: false,
  coverageAnalysis: 'perTest' as const,
  concurrency,
  // Added to the time of the tests: on a busy machine a mutant that is only slow must not count as detected.
  timeoutMS: 20_000,
  dryRunTimeoutMinutes: 20,
  allowEmpty: true,
  tempDirName: 'reports/mutation/tmp',
  ignorePatterns: ['data', 'dist', 'coverage', 'reports'],
  reporters: ['html', 'json', process.stdout.isTTY ? 'progress' : 'progress-append-only'],
  htmlReporter: { fileName: `${reportName}.html` },
  jsonReporter: { fileName: `${reportName}.json` },
})

/** The longest name of a file without its ending. */
const MOST_LETTERS = 200

const report = (part: string, files: string[] = []) =>
  `reports/mutation/${[part, ...files.map((file) => basename(file, '.ts'))].join('-').slice(0, MOST_LETTERS)}`

const isSurvivor = ({ status }: MutantResult): boolean => status === 'Survived' || status === 'NoCoverage'
const isDetected = ({ status }: MutantResult): boolean => status === 'Killed' || status === 'Timeout'

function countByFile(results: readonly MutantResult[]): Count[] {
  const files = [...new Set(results.map(({ fileName }) => fileName))].toSorted()
  return files.map((fileName) => {
    const ofFile = results.filter((result) => result.fileName === fileName)
    const detected = ofFile.filter(isDetected).length
    return {
      file: relative('.', fileName),
      detected,
      total: detected + ofFile.filter(isSurvivor).length,
    }
  })
}

function toMutant({ fileName, location, mutatorName, replacement }: MutantResult): Mutant & { at: string } {
  const file = relative('.', fileName)
  const { line, column } = location.start
  return {
    at: `${file}:${line}:${column}`,
    file,
    line: readFileSync(fileName, 'utf8').split('\n')[line - 1]?.trim() ?? '',
    mutator: mutatorName,
    replacement: replacement ?? '',
  }
}
