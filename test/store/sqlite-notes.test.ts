import { expect, test } from 'vitest'
import { createNoteReader } from '../../src/store/sqlite-notes.ts'

function reading(texts: Map<string, string>) {
  const rowsOf = (name: string) => (texts.has(name) ? [{ name, value: texts.get(name) }] : [])
  const run = () => 0
  return createNoteReader({
    readNote: { all: (name) => rowsOf(String(name)) as never[], run },
    readNotes: { all: (names) => (JSON.parse(String(names)) as string[]).flatMap(rowsOf) as never[], run },
  })
}

test('a note is the same object until it changes, in any process, and none where it is removed (8.2)', () => {
  const texts = new Map([['a', '{"n":1}']])
  const { read, readMany } = reading(texts)
  const first = read('a')
  expect(first).toEqual({ n: 1 })
  expect([read('a'), readMany(['b', 'a', 'a'])]).toEqual([first, [undefined, first, first]])
  expect(readMany(['a'])[0]).toBe(first)
  texts.set('a', '{"n":2}')
  expect(read('a')).toEqual({ n: 2 })
  texts.delete('a')
  expect(read('a')).toBeUndefined()
})

test('of more notes than it remembers each is read as it is (8.2)', () => {
  const texts = new Map(Array.from({ length: 12_000 }, (_, nth) => [`${nth}`, `{"n":${nth}}`]))
  const { read } = reading(texts)
  for (const round of [1, 2])
    expect([...texts.keys()].map(read), `round ${round}`).toEqual(
      [...texts.keys()].map((nth) => ({ n: Number(nth) })),
    )
})
