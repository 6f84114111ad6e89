import { LINKS, PATHS } from '../../contract/page.ts'

/** The second key after G, its name, and the address of the header's link. */
export const PAGE_KEYS = [
  ['h', 'home', '/'],
  ...LINKS.map(([name, key]) => [key, name, PATHS[name]] as const),
] as const
