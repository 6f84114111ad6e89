import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const WRITER = fileURLToPath(new URL('./_writer.mjs', import.meta.url))
const HOLDER = fileURLToPath(new URL('./_holder.mjs', import.meta.url))

/** Opens the file once its input ends, and acknowledges each write of a job with a line. */
export const startWriter = (file: string, job: string, count: number, ...wrapper: string[]) => {
  const [command = process.execPath, ...before] = wrapper.length > 0 ? [...wrapper, process.execPath] : []
  return spawn(command, [...before, WRITER, file, job, String(count)], { stdio: ['pipe', 'pipe', 'inherit'] })
}

/** The complete acknowledged lines. */
export const linesOf = (output: string): string[] =>
  output
    .slice(0, output.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '' && line !== 'ready')

/** Writers that open the file at the same moment. @returns what they acknowledged */
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
  /** Its longest event-loop iteration in milliseconds, once it has ended: delays of the machine itself. */
  ended: Promise<number>
  kill: ChildProcess['kill']
}

/** Runs SQL on the file in another process, with a wait after each step. Resolves after the first step. */
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
