/** Where a page reads for free: as the person who is signed in, or as the watch link that it shows. */
import { BFF } from '../../contract/api.ts'
import { placeOf } from '../../contract/page.ts'
import { WATCH } from '../../contract/watch-routes.ts'

/** The page is that of a watch link. */
export const isWatched = (): boolean => placeOf(location.pathname).name === 'watched'

export function freePath(name: 'quota' | 'events'): string {
  const place = placeOf(location.pathname)
  return place.name === 'watched' ? `${WATCH[name]}/${place.id}` : BFF[name]
}
