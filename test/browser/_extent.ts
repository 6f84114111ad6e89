import { IS_WHOLE } from '../_extent.ts'

/** Every sixth one, and in each test file others. @param from which one begins */
export const aPartOf = <Item>(all: readonly Item[], from: 0 | 1 | 2): Item[] =>
  all.filter((_, at) => IS_WHOLE || at % 6 === from)
