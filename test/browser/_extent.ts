import { IS_WHOLE } from '../_extent.ts'

/** Every sixth item; each test file takes others. @param from the first one */
export const aPartOf = <Item>(all: readonly Item[], from: 0 | 1 | 2): Item[] =>
  all.filter((_, at) => IS_WHOLE || at % 6 === from)
