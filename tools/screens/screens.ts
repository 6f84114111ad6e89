// `npm run screens -- [--folder F] [--widths 1280,375] [--plays signedIn]`: screenshots of the built app in
// each state. Without an option it also renews the pictures of docs/screens.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { launch } from '../../test/kit/browser.ts'
import { ScreenApp } from './app.ts'
import { shooter } from './shot.ts'
import { writeDocuments } from './shown.ts'
import { PLAYS } from './states.ts'

const FOLDER = 'screens'

/** @returns 0 if no page is too wide and none had an error */
export async function screens(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      folder: { type: 'string', default: FOLDER },
      widths: { type: 'string', default: '1280,375' },
      plays: { type: 'string' },
    },
  })
  // vite sets NODE_ENV, and with it the build would include the development copy of React.
  const { NODE_ENV: _, ...env } = process.env
  execFileSync(process.execPath, ['tools/build/build.mjs'], { env, stdio: 'inherit' })
  mkdirSync(values.folder, { recursive: true })
  const complaints: string[] = []
  const complain = (line: string): void => {
    complaints.push(line)
    process.stderr.write(`${line}\n`)
  }
  const shoot = shooter(values.folder, values.widths.split(',').map(Number), complain)
  const browser = await launch()
  try {
    for (const play of PLAYS.filter(({ name }) => values.plays?.split(',').includes(name) ?? true)) {
      const app = new ScreenApp(browser)
      try {
        await play(app, shoot)
      } catch (error) {
        process.stderr.write(app.output())
        throw error
      } finally {
        for (const error of app.errors) complain(error)
        await app.stop()
      }
    }
  } finally {
    await browser.close()
  }
  if (args.length === 0) writeDocuments(FOLDER)
  return complaints.length === 0 ? 0 : 1
}
