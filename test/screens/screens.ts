// `npm run screens -- [--folder F] [--widths 1280,375]`: screenshots of the built app in each state of the quota.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { launch } from '../_browser.ts'
import { ScreenApp } from './app.ts'
import { shooter } from './shot.ts'
import { PLAYS, STATES } from './states.ts'

const FOLDER = 'docs/screens'

/** @returns the exit code: 0 where no page is too wide and none had an error */
export async function screens(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      folder: { type: 'string', default: FOLDER },
      widths: { type: 'string', default: '1280,375' },
      plays: { type: 'string' },
    },
  })
  // vite's import sets NODE_ENV, and with that the build would hold React's development copy.
  const { NODE_ENV: _, ...env } = process.env
  execFileSync('npm', ['run', '--silent', 'build'], { env, stdio: 'inherit' })
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
  if (values.folder === FOLDER) writeDocuments()
  return complaints.length === 0 ? 0 : 1
}

/** The list of the screenshots, and the picture of the README. */
function writeDocuments(): void {
  const sections = Object.entries(STATES).map(
    ([name, words]) =>
      `## ${words}\n\n| | |\n|---|---|\n${['light', 'dark'].map((scheme) => row(name, scheme)).join('\n')}\n`,
  )
  const lead =
    '`npm run screens` takes these from the running app, with its sandbox in the state that is shown.'
  writeFileSync(join(FOLDER, 'README.md'), `# Screenshots\n\n${lead}\n\n${sections.join('\n')}`)
  copyFileSync(join(FOLDER, 'with-reading-light-1280.png'), 'docs/organization.png')
}

const row = (name: string, scheme: string): string =>
  `| ${[1280, 375].map((width) => `![${name}, ${scheme}, ${width} px](${name}-${scheme}-${width}.png)`).join(' | ')} |`
