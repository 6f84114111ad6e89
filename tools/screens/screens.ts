// `npm run screens -- [--folder F] [--widths 1280,375] [--plays signedIn]`: screenshots of the built app in each of its states.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { launch } from '../../test/_browser.ts'
import { ScreenApp } from './app.ts'
import { isShown, shooter } from './shot.ts'
import { PLAYS, STATES, type StateName } from './states.ts'

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

/** The list of the screenshots. */
function writeDocuments(): void {
  const names = Object.keys(STATES) as StateName[]
  const sections = names.map((name) => `## ${STATES[name]}\n\n| | |\n|---|---|\n${rows(name).join('\n')}\n`)
  const lead =
    '`npm run screens` takes these from the running app, with its sandbox in the state that is shown.'
  writeFileSync(join(FOLDER, 'README.md'), `# Screenshots\n\n${lead}\n\n${sections.join('\n')}`)
}

const rows = (name: StateName): string[] =>
  (['light', 'dark'] as const).map((scheme) => {
    const shots = [1280, 375].map((width) =>
      isShown(name, scheme, width)
        ? `![${STATES[name]}: ${scheme}, ${width} px](${name}-${scheme}-${width}.png)`
        : '',
    )
    return `| ${shots.join(' | ')} |`
  })
