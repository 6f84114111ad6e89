/** `npm run test:whole` runs every round, journey, state and browser; `npm test` a part of the longest. */
export const IS_WHOLE = process.env['TESTS'] === 'whole'

/** All cases in the whole run, otherwise those that find the most. */
export const aPartOf = <Item>(all: readonly Item[], isTaken: (item: Item, at: number) => boolean): Item[] =>
  all.filter((item, at) => IS_WHOLE || isTaken(item, at))
