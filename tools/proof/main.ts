/**
 * `npm run proof` runs every journey, on two threads, and prints how their steps ended. With `--choices` it
 * runs one, and prints its whole recording.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { HELP, parseFlags } from './flags.ts'
import { violationsOf } from './invariants.ts'
import { runJourney } from './run.ts'
import { allChoiceSets, DEFAULT_SEED, differences, type NamedChoices } from './choice-sets.ts'
import {
  countPrices,
  playPrices,
  type PriceCounts,
  type PricedPress,
  priceLines,
  priceViolations,
  sumPrices,
} from './prices.ts'
import type { Recording } from './recording.ts'
import { createProgress } from './progress.ts'
import { type Ended, shortfalls, summaryTable } from './summary.ts'
import { isUnaided } from './unaided.ts'

interface Share {
  seed: number
  /** Runs every n-th journey, beginning with `from`. */
  every: number
  from: number
}

const THREADS = 2

const say = (line: string): void => void process.stdout.write(`${line}\n`)

interface Run {
  recording: Recording
  pressed: PricedPress[]
  found: string[]
}

async function run(named: NamedChoices): Promise<Run> {
  const recording = await runJourney(named.choices, { unaided: isUnaided(named) })
  const pressed = await playPrices(named.choices)
  return { recording, pressed, found: [...violationsOf(recording), ...priceViolations(pressed)] }
}

interface Result extends Ended {
  found: string[]
  prices: PriceCounts
}

async function runShare({ seed, every, from }: Share, report: (result: Result) => void) {
  for (const named of allChoiceSets(seed).filter((_, at) => at % every === from)) {
    const { recording, pressed, found } = await run(named)
    const { outcomes, readings } = recording
    report({ ...named, found, prices: countPrices(pressed), outcomes, readings })
  }
}

interface Total {
  journeys: number
  violations: number
  prices: PriceCounts
}

async function runAll(seed: number): Promise<Total> {
  const results: Result[] = []
  const progress = createProgress(allChoiceSets(seed).length)
  const shares = Array.from({ length: THREADS }, (_, from) => {
    const share: Share = { seed, every: THREADS, from }
    const worker = new Worker(new URL(import.meta.url), { workerData: share })
    worker.on('message', (result: Result) => {
      results.push(result)
      const { name, found } = result
      progress.finished(found.length, found.length > 0 ? [name, ...found].join('\n  ') : '')
    })
    return new Promise<void>((resolve, reject) => {
      worker.on('error', reject)
      worker.on('exit', () => resolve())
    })
  })
  await Promise.all(shares)
  progress.end()
  const missing = shortfalls(results, allChoiceSets(seed).length).map((what) => `proven too little: ${what}`)
  say(['', ...summaryTable(results), '', ...missing].join('\n'))
  const withReadings = results.filter(({ readings = 0 }) => readings > 0).length
  const readings = results.reduce((sum, one) => sum + (one.readings ?? 0), 0)
  say(`${withReadings} of ${results.length} journeys had readings of the month, ${readings} in all`)
  const { journeys, violations } = progress.counts
  const prices = sumPrices(results.map((one) => one.prices))
  return { journeys, violations: violations + missing.length, prices }
}

async function runOne(named: NamedChoices): Promise<Total> {
  const { recording, pressed, found } = await run(named)
  say(`choices that are not the default:\n  ${differences(named.choices).join('\n  ')}`)
  say(`\nsteps:\n  ${recording.steps.join('\n  ')}`)
  say('\nrequests:')
  for (const { number, action, method, path, sentAtMs, answer, over } of recording.calls) {
    const at = new Date(sentAtMs).toISOString()
    const left = answer?.headers.get('X-RateLimit-Remaining') ?? '-'
    const answered = `${answer?.status ?? 'no answer'}${over ? `, the ${over} is over` : ''}, ${left} left`
    say(`  ${number} ${at} ${method} ${path}: ${answered}; in ${action?.kind} ${action?.number}`)
  }
  if (found.length > 0) say(`\nviolations:\n  ${found.join('\n  ')}`)
  say('\npresses and their price:')
  for (const { at, press, said, cost, isForeseeable } of pressed)
    say(
      `  ${press}, ${at}: ${said.low} to ${said.high}, cost ${cost}${isForeseeable ? '' : ', not foreseeable'}`,
    )
  return { journeys: 1, violations: found.length, prices: countPrices(pressed) }
}

async function main(): Promise<void> {
  const { seed, choices: only, isHelp } = parseFlags(process.argv.slice(2), DEFAULT_SEED)
  if (isHelp) return void process.stdout.write(HELP)
  const named = allChoiceSets(seed).find(({ name }) => name === only)
  if (only !== undefined && named === undefined) {
    say(`No choice set is named ${only}. There are, for example: codelife=seconds_60, pair-1, random-1.`)
    process.exitCode = 2
    return
  }
  const startedMs = performance.now()
  const { journeys, violations, prices } = named ? await runOne(named) : await runAll(seed)
  if (named === undefined)
    say('\nAll journeys. npm test plays the short form: the pairs, the default, and the broken clients.')
  say(`\nseed ${seed}, ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
  say(`${journeys} journeys, ${violations} violations`)
  for (const line of priceLines(prices)) say(line)
  process.exitCode = violations === 0 ? 0 : 1
}

if (isMainThread) {
  await main().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 2
  })
} else
  await runShare(workerData as Share, (result) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage(result)
  })
