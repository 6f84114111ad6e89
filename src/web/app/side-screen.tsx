import type { ComponentType } from 'react'
import { isSidePage, type Place, type SidePageName } from '../../contract/page.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Learnt } from '../evidence/evidence.tsx'
import { Ledger } from '../ledger/ledger.tsx'
import { LastMonths } from '../months/months.tsx'
import { Organizations } from '../organizations/organizations.tsx'
import { Offer } from '../pairing/offer.tsx'
import { SecondBrowser } from '../pairing/second-browser.tsx'
import { Sessions } from '../sessions/sessions.tsx'
import { Links } from '../watch/links.tsx'
import { Watched } from '../watch/watched.tsx'

const SIDE_PAGES: Record<SidePageName, ComponentType<{ session: SignedIn }>> = {
  organizations: Organizations,
  ledger: Ledger,
  months: LastMonths,
  learnt: Learnt,
  sessions: Sessions,
  links: Links,
  device: Offer,
}

interface SideScreenProps {
  /** Absent on a page for strangers. */
  session: SignedIn | undefined
  place: Place
}

/** Every page but the organization's: one file, loaded when the first of them is opened. */
export function SideScreen({ session, place }: SideScreenProps) {
  if (place.name === 'watched') return <Watched id={place.id} />
  if (place.name === 'pair') return <SecondBrowser />
  if (session === undefined || !isSidePage(place)) return null
  const Page = SIDE_PAGES[place.name]
  return <Page session={session} />
}
