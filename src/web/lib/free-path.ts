/** Where a page reads for free: as the person who is signed in, or as the watch link that it shows. */
import { BFF } from '../../contract/api.ts'
import { placeOf } from '../../contract/page.ts'
import { WATCH } from '../../contract/watch-routes.ts'

export function freePath(name: 'quota' | 'events'): string {
  const place = placeOf(location.pathname)
  return place.name === 'watched' ? `${WATCH[name]}/${place.id}` : BFF[name]
}
