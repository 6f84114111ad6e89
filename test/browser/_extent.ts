/** How much the tests of many pages do: a part in `npm test`, all of it in `npm run test:browsers`. */
export const IS_WHOLE = process.env['BROWSER_TESTS'] === 'whole'

/** Every sixth one, and in each test file others. @param from which one begins */
export const aPartOf = <Item>(all: readonly Item[], from: 0 | 1 | 2): Item[] =>
  all.filter((_, at) => IS_WHOLE || at % 6 === from)
