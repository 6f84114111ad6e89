import { findFirefox } from './firefox/find.ts'
import { findProgram } from './kit/program.ts'
import { findWebKit } from './webkit/find.ts'
import { findPostgres } from './store/_postgres-server.ts'

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
]

/** One line for each program that this machine lacks, with the command that installs it. */
export const missing = (): string[] =>
  PROGRAMS.filter(({ path }) => path === undefined).map(
    ({ name, without, debian }) => `${name} is missing: not tested are ${without}. apt-get install ${debian}`,
  )
