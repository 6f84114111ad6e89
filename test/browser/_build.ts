// The only place that builds what the browser tests look at, once before the first of them, also for several projects.
import { execFileSync } from 'node:child_process'

export function setup(): void {
  if (Reflect.has(globalThis, IS_BUILT)) return
  Reflect.set(globalThis, IS_BUILT, true)
  // vitest sets NODE_ENV=test, and with that the build would hold React's development copy.
  console.log('building what the browser tests open')
  const { NODE_ENV: _, VITEST: __, ...env } = process.env
  execFileSync('npm', ['run', '--silent', 'build'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

const IS_BUILT = Symbol.for('plimsoll is built')
