// The only place that writes the last line of a test run: `N passed, N failed`, and `N skipped` where there are any.
import type { Reporter, TestModule } from 'vitest/node'

/** Counts every test, and as one failure each file that could not be read and each error that no test caught. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], strays: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const skipped = tests.filter((test) => test.result().state === 'skipped')
    const passed = tests.filter((test) => test.result().state === 'passed').length
    const failed = tests.filter((test) => test.result().state === 'failed').length
    const broken = modules.filter((module) => module.errors().length > 0).length + strays.length
    for (const test of skipped) console.log(`NOT RUN: ${test.module.relativeModuleId} > ${test.fullName}`)
    const rest = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
    console.log(`${passed} passed, ${failed + broken} failed${rest}`)
  }
}
