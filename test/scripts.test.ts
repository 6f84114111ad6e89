// The commands of package.json need no POSIX shell, and git keeps the line ends.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const { scripts, engines } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>
  engines: { node: string }
}

/** Characters that a POSIX shell and cmd.exe read in different ways. */
const ONLY_POSIX = /['`$;\\*~<>()!?#%^]|(?<!&)&(?!&)|\|/
/** `node`, npm, and the programs of packages, which npm puts on the path on each system. */
const PROGRAMS = ['node', 'npm', 'vite', 'vitest', 'tsc', 'oxlint', 'biome', 'knip']

test('no script of package.json needs a POSIX shell', () => {
  const wrong = Object.entries(scripts).flatMap(([name, script]) =>
    script
      .split(' && ')
      .filter((command) => ONLY_POSIX.test(command) || !PROGRAMS.includes(command.split(' ')[0] ?? ''))
      .map((command) => `${name}: ${command}`),
  )
  expect(wrong).toEqual([])
})

test('each file that a script names exists, except those that a build writes', () => {
  const named = Object.values(scripts).flatMap((script) => script.match(/[\w./-]+\.(m?js|ts)\b/g) ?? [])
  expect(named.filter((file) => !file.startsWith('dist/') && !existsSync(file))).toEqual([])
})

test('git keeps LF in every text file, on each system', () => {
  const text = execFileSync('git', ['ls-files', '--eol', '-z'], { encoding: 'utf8' })
  const files = text.split('\0').filter((line) => line && !line.startsWith('i/-text'))
  expect(files.filter((line) => !/^i\/(lf|none)\s.*\sattr\/text=auto eol=lf\s/.test(line))).toEqual([])
})

test('the Node versions are those that the tools of the project support', () => {
  expect(engines.node).toBe('^20.19 || ^22.12 || >=24')
})
