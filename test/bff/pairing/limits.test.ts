// What one person or stranger can make of pairings: sessions, members of a grant, guesses.
import { expect, test, vi } from 'vitest'
import { createFixture } from '../../_fixture.ts'
import { throughAnother } from '../_processes.ts'
import { claim, offer } from './_pairing.ts'

async function signedIn() {
  const fixture = createFixture()
  const first = fixture.browser()
  await first.signIn()
  return { fixture, first }
}

const wrong = (nth: number) => `23456${100 + nth}`.replaceAll(/[01]/g, 'Z')

test('after 120 wrong codes the right one is refused too, and a wrong one writes no note', async () => {
  const { fixture, first } = await signedIn()
  const { code } = await offer(first)
  const guesser = fixture.browser('198.51.100.7')
  const notes = vi.spyOn(fixture.store, 'changeNote')
  for (let nth = 0; nth < 120; nth += 1) await claim(guesser, wrong(nth))
  expect(await claim(guesser, code)).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
  expect(notes).not.toHaveBeenCalled()
  const inAnother = throughAnother(guesser, fixture.another())
  expect((await claim(inAnother, code)).status).toBe(200)
})

test('a hundred and one right codes of one address are no guesses', async () => {
  const { fixture, first } = await signedIn()
  for (let nth = 0; nth < 101; nth += 1)
    expect((await claim(fixture.browser(), (await offer(first)).code)).status).toBe(200)
})
