/** `npm run proof`: runs every journey, on two threads, and counts; with `--choices` one of them, with all that it left behind. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { violationsOf } from './invariants.ts'
import { runJourney } from './run.ts'
import { allChoiceSets, DEFAULT_SEED, differences, type NamedChoices } from './choice-sets.ts'
import type { Recording } from './recording.ts'
import { isUnaided } from './unaided.ts'

interface Share {
  seed: number
  /** Every so many, from this one on. */
  every: number
  from: number
}

const THREADS = 2

const argument = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  return at === -1 ? undefined : process.argv[at + 1]
}
const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function run(named: NamedChoices): Promise<{ recording: Recording; found: string[] }> {
  const recording = await runJourney(named.choices, { unaided: isUnaided(named) })
  return { recording, found: violationsOf(recording) }
}

/** Tells the name of each journey and what it violates. */
async function runShare({ seed, every, from }: Share, tell: (name: string, found: string[]) => void) {
  for (const named of allChoiceSets(seed).filter((_, at) => at % every === from))
    tell(named.name, (await run(named)).found)
}

async function runAll(seed: number): Promise<{ journeys: number; violations: number }> {
  let [journeys, violations] = [0, 0]
  const shares = Array.from({ length: THREADS }, (_, from) => {
    const share: Share = { seed, every: THREADS, from }
    const worker = new Worker(new URL(import.meta.url), { workerData: share })
    worker.on('message', ({ name, found }: { name: string; found: string[] }) => {
      journeys += 1
      violations += found.length
      if (found.length > 0) say([name, ...found].join('\n  '))
    })
    return new Promise<void>((resolve, reject) => {
      worker.on('error', reject)
      worker.on('exit', () => resolve())
    })
  })
  await Promise.all(shares)
  return { journeys, violations }
}

async function runOne(named: NamedChoices): Promise<{ journeys: number; violations: number }> {
  const { recording, found } = await run(named)
  say(`choices, where it is not the default:\n  ${differences(named.choices).join('\n  ')}`)
  say(`\nsteps:\n  ${recording.steps.join('\n  ')}`)
  say('\nledger:')
  for (const { number, action, method, path, sentAtMs, answer, over } of recording.calls) {
    const at = new Date(sentAtMs).toISOString()
    const left = answer?.headers.get('X-RateLimit-Remaining') ?? '-'
    const told = `${answer?.status ?? 'no answer'}${over ? `, the ${over} is over` : ''}, ${left} left`
    say(`  ${number} ${at} ${method} ${path}: ${told}; in ${action?.kind} ${action?.number}`)
  }
  if (found.length > 0) say(`\nviolations:\n  ${found.join('\n  ')}`)
  return { journeys: 1, violations: found.length }
}

async function main(): Promise<void> {
  const seed = Number(argument('seed') ?? DEFAULT_SEED)
  const only = argument('choices')
  const named = allChoiceSets(seed).find(({ name }) => name === only)
  if (only !== undefined && named === undefined) {
    say(`No choices is named ${only}. There are, for example: codelife=seconds_60, pair-1, random-1.`)
    process.exitCode = 2
    return
  }
  const startedMs = performance.now()
  const { journeys, violations } = named ? await runOne(named) : await runAll(seed)
  say(`\nseed ${seed}, ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
  say(`${journeys} journeys, ${violations} violations`)
  process.exitCode = violations === 0 ? 0 : 1
}

if (isMainThread) await main()
else
  await runShare(workerData as Share, (name, found) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage({ name, found })
  })
