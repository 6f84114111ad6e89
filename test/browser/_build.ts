// The only place that builds the app for the browser tests, once before the first, also for several projects.
import { execFileSync } from 'node:child_process'

export function setup(): void {
  if (Reflect.has(globalThis, IS_BUILT)) return
  Reflect.set(globalThis, IS_BUILT, true)
  // vitest sets NODE_ENV=test, and with it the build would include the development copy of React.
  console.log('building what the browser tests open')
  const { NODE_ENV: _, VITEST: __, ...env } = process.env
  const stdio = ['ignore', 'ignore', 'inherit'] as const
  execFileSync(process.execPath, ['tools/build/build.mjs'], { env, stdio: [...stdio] })
}

const IS_BUILT = Symbol.for('plimsoll is built')
