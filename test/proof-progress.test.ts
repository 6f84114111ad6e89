import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { parseFlags } from '../tools/proof/flags.ts'
import { createProgress } from '../tools/proof/progress.ts'

function play(isTTY: boolean) {
  let text = ''
  const output = { isTTY, write: (more: string) => (text += more) }
  const { finished, end, counts } = createProgress(20, output)
  for (let journey = 1; journey <= 20; journey += 1)
    finished(journey === 5 ? 2 : 0, journey === 5 ? 'found' : '')
  end()
  return { text, counts }
}

test('on a terminal the progress is one line that is rewritten', () => {
  const { text } = play(true)
  expect(text).toContain('\r\u001B[K12/20 journeys, 2 violations')
  expect(text.split('\n')).toHaveLength(2)
})

test('elsewhere it is one line for each tenth', () => {
  const { text, counts } = play(false)
  expect(counts).toEqual({ journeys: 20, violations: 2 })
  expect(text.trim().split('\n')).toHaveLength(12)
  expect(text).toMatch(/^0\/20 journeys, 0 violations\n2\/20[^]*found\n6\/20 journeys, 2 violations\n/)
})

test('the flags of the proof are read, and unknown ones refused', () => {
  expect(parseFlags([], 7)).toEqual({ seed: 7, choices: undefined, isHelp: false })
  expect(parseFlags(['--seed', '3', '--choices', 'pair-1'], 7)).toEqual({
    seed: 3,
    choices: 'pair-1',
    isHelp: false,
  })
  expect(parseFlags(['--help'], 7).isHelp).toBe(true)
  for (const args of [['--seeds', '3'], ['pair-1'], ['--seed', 'x'], ['--choices']])
    expect(() => parseFlags(args, 7)).toThrow('--help')
})

test('no test runs in UTC, so that a local time in the code is noticed', () => {
  expect(new Date(0).getTimezoneOffset()).not.toBe(0)
  expect(execFileSync(process.execPath, ['-p', 'process.env.TZ'], { encoding: 'utf8' }).trim()).toBe(
    'Asia/Tokyo',
  )
})
