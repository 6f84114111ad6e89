import { expect, test } from 'vitest'
import { retryWhileBusy, STARVED_AFTER_PAUSES, STUCK_AFTER_PAUSES } from '../../src/store/busy.ts'

const BUSY = new Error('busy')

/** A lock that is taken until `freeAfter` pauses have passed, while another connection commits every `commitEvery` pauses. */
function contend(freeAfter: number, commitEvery: number) {
  let pauses = 0
  const work = () => {
    if (pauses < freeAfter) throw BUSY
    return 'done'
  }
  const run = () =>
    retryWhileBusy(work, {
      isBusy: (error) => error === BUSY,
      version: () => Math.floor(pauses / commitEvery),
      pause: () => void (pauses += 1),
    })
  return { run, pauses: () => pauses }
}

test('a free lock is not waited for', () => {
  const { run, pauses } = contend(0, Infinity)
  expect([run(), pauses()]).toEqual(['done', 0])
})

test('a holder that does not commit is waited for up to two seconds', () => {
  expect(contend(STUCK_AFTER_PAUSES, Infinity).run()).toBe('done')
  const stuck = contend(Infinity, Infinity)
  expect(stuck.run).toThrow(BUSY)
  expect(stuck.pauses()).toBe(STUCK_AFTER_PAUSES)
})

test('holders that commit one after the other are waited for longer, so that no writer starves', () => {
  expect(contend(STUCK_AFTER_PAUSES * 4, 100).run()).toBe('done')
})

test('even while others commit the wait ends', () => {
  const starved = contend(Infinity, 100)
  expect(starved.run).toThrow(BUSY)
  expect(starved.pauses()).toBe(STARVED_AFTER_PAUSES)
})

test('an error of another kind is thrown at once', () => {
  const failing = () =>
    retryWhileBusy(
      () => {
        throw new Error('full')
      },
      {
        isBusy: (error) => error === BUSY,
        version: () => 0,
        pause: () => expect.unreachable('it does not wait'),
      },
    )
  expect(failing).toThrow('full')
})
