import { IS_WHOLE } from './_extent.ts'
import { findFirefox } from './firefox/find.ts'
import { findProgram } from './kit/program.ts'
import { findWebKit } from './webkit/find.ts'
import { findPostgres } from './store/_postgres-server.ts'

export function findPytest(): string | undefined {
  return findProgram(['pytest', 'pytest-3'])
}
export function findGo(): string | undefined {
  return findProgram(['go'])
}

const PROGRAMS = [
  { name: 'Firefox', path: findFirefox(), without: 'the pages in a second browser', debian: 'firefox-esr' },
  {
    name: 'WebKit',
    path: findWebKit()?.driver,
    without: 'the pages in the engine of Safari',
    debian: 'webkit2gtk-driver xvfb',
  },
  {
    name: 'PostgreSQL',
    path: findPostgres(),
    without: 'the store of several machines',
    debian: 'postgresql',
  },
  {
    name: 'nginx',
    path: findProgram(['nginx']),
    without: 'WebKit over https, and one machine of docs/deploy.md',
    debian: 'nginx-light',
  },
  { name: 'promtool', path: findProgram(['promtool']), without: 'the alert rules', debian: 'prometheus' },
  { name: 'pytest', path: findPytest(), without: "the sandbox's recipe in Python", debian: 'python3-pytest' },
  // The compiler takes a minute.
  ...(IS_WHOLE
    ? [{ name: 'Go', path: findGo(), without: "the sandbox's recipe in Go", debian: 'golang-go' }]
    : []),
]

/** One line for each program that this machine lacks, with the command that installs it. */
export const missing = (): string[] =>
  PROGRAMS.filter(({ path }) => path === undefined).map(
    ({ name, without, debian }) => `${name} is missing: not tested are ${without}. apt-get install ${debian}`,
  )
