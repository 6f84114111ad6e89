/** Prometheus' own checker, which npm does not have: `apt-get install prometheus`. */
import { spawnSync } from 'node:child_process'
import type { TestContext } from 'vitest'

/** @returns its exit code and its whole output */
export function promtool(
  args: readonly string[],
  { input = '', cwd = '.' } = {},
): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, cwd, encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

const isMissing = spawnSync('promtool', ['--version']).error !== undefined

/** Skips the test. The closing line of the run reports that, and CI refuses it. */
export const needPromtool = ({ skip }: Pick<TestContext, 'skip'>): void =>
  skip(isMissing, 'promtool is missing: apt-get install prometheus')
