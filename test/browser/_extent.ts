/** How much the tests of many pages do: a part in `npm test`, all of it in `npm run test:browsers`. */
export const IS_WHOLE = process.env['BROWSER_TESTS'] === 'whole'

/** Every third one, so that the tests that go through all of them together do most. @param from which of the first three begins */
export const aPartOf = <Item>(all: readonly Item[], from: 0 | 1 | 2): Item[] =>
  all.filter((_, at) => IS_WHOLE || at % 3 === from)
