// `npm run screens -- [--folder F] [--widths 1280,375]`: screenshots of the built app in each state of the quota.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { launch } from '../_browser.ts'
import { ScreenApp } from './app.ts'
import { shooter } from './shot.ts'
import { PLAYS } from './states.ts'

/** @returns the exit code: 0 where no page is too wide and none had an error */
export async function screens(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      folder: { type: 'string', default: 'docs/screens' },
      widths: { type: 'string', default: '1280,375' },
      only: { type: 'string' },
    },
  })
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  mkdirSync(values.folder, { recursive: true })
  const complaints: string[] = []
  const shoot = shooter(values.folder, values.widths.split(',').map(Number), (line) => complaints.push(line))
  const browser = await launch()
  try {
    for (const play of PLAYS) {
      if (values.only !== undefined && play.name !== values.only) continue
      const app = new ScreenApp(browser)
      try {
        await play(app, shoot)
      } finally {
        complaints.push(...app.errors)
        await app.stop()
      }
    }
  } finally {
    await browser.close()
  }
  for (const line of complaints) process.stderr.write(`${line}\n`)
  return complaints.length === 0 ? 0 : 1
}
