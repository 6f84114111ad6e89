// The only place that writes a run's last line: `N passed, N failed`, then `N only in Chromium`, `N skipped`,
// the missing programs, and the browsers and the version of Node that ran.
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { missing } from './_missing.ts'
import { ONLY_IN_CHROMIUM } from './firefox/only-in-chromium.ts'

/** The browser of a project's tests. A further browser needs a row here. */
const BROWSERS: Record<string, string> = {
  journey: 'Chromium',
  browser: 'Chromium',
  firefox: 'Firefox',
  webkit: 'WebKit',
}

/** The browsers in which a test ran. @param projects the names of the projects of these tests */
const browsersOf = (projects: readonly string[]): string[] => [
  ...new Set(projects.flatMap((name) => BROWSERS[name] ?? [])),
]

/** Counts every test. Each file that could not be read and each uncaught error counts as a failure. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], strays: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const left = tests.filter((test) => test.result().state === 'skipped')
    const [expected, skipped] = [left.filter(isForChromium), left.filter((test) => !isForChromium(test))]
    const passed = tests.filter((test) => test.result().state === 'passed').length
    const failed = tests.filter((test) => test.result().state === 'failed').length
    const broken = modules.filter((module) => module.errors().length > 0).length + strays.length
    for (const test of expected) console.log(`ONLY IN CHROMIUM: ${test.name}: ${ONLY_IN_CHROMIUM[test.name]}`)
    for (const test of skipped) console.log(`NOT RUN: ${test.module.relativeModuleId} > ${test.fullName}`)
    const counts = [`${passed} passed`, `${failed + broken} failed`]
    if (expected.length > 0) counts.push(`${expected.length} only in Chromium`)
    if (skipped.length > 0) counts.push(`${skipped.length} skipped`)
    const lacks = missing().map((line) => line.split(':')[0])
    const ran = tests.filter((test) => ['passed', 'failed'].includes(test.result().state))
    const browsers = browsersOf(ran.map(({ project }) => project.name)).map((name, at) =>
      at === 0 ? `in ${name}` : name,
    )
    console.log([...counts, ...lacks, ...browsers, `on Node ${process.versions.node}`].join(', '))
  }
}

const isForChromium = ({ name, project }: TestCase): boolean =>
  project.name === 'firefox' && name in ONLY_IN_CHROMIUM
