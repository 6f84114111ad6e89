import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const WRITER = fileURLToPath(new URL('./_writer.mjs', import.meta.url))
const HOLDER = fileURLToPath(new URL('./_holder.mjs', import.meta.url))

/** It opens the file once its input ends, and acknowledges each write of a job with a line. */
export const startWriter = (file: string, job: string, count: number, ...wrapper: string[]) => {
  const [command = process.execPath, ...before] = wrapper.length > 0 ? [...wrapper, process.execPath] : []
  return spawn(command, [...before, WRITER, file, job, String(count)], { stdio: ['pipe', 'pipe', 'inherit'] })
}

/** Without an incomplete last one. */
export const linesOf = (output: string): string[] =>
  output
    .slice(0, output.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '' && line !== 'ready')

/** Opens the file at the same moment. @returns what the writers acknowledged */
export async function writeTogether(
  file: string,
  processes: number,
  job: string,
  count: number,
): Promise<string[]> {
  const children = Array.from({ length: processes }, () => startWriter(file, job, count))
  await Promise.all(children.map(({ stdout }) => once(stdout, 'readable')))
  for (const { stdin } of children) stdin.end()
  return linesOf((await Promise.all(children.map(({ stdout }) => text(stdout)))).join(''))
}

export type Step = [sql: string, waitMs: number]

export interface Holder {
  /** The longest event-loop iteration in ms, once it has ended: delays of the machine itself. */
  ended: Promise<number>
  kill: ChildProcess['kill']
}

/** With a wait after each step. Resolves after the first one. */
export async function hold(file: string, steps: Step[]): Promise<Holder> {
  const holder = spawn(process.execPath, [HOLDER, file, JSON.stringify(steps)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  holder.stdout.setEncoding('utf8').on('data', (more: string) => {
    output += more
  })
  const ended = once(holder, 'close').then(() => Number(/longest iteration: (\d+)/.exec(output)?.[1]))
  await once(holder.stdout, 'data')
  return { ended, kill: (signal) => holder.kill(signal) }
}
