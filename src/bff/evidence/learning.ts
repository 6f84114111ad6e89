/** Stores what answers show about points that the document leaves open. Sends nothing to find out. */
import { ASSUMED } from '../../contract/assumptions.ts'
import { zonesThatFit } from '../../contract/month-zones.ts'
import type { Within } from '../core/context.ts'
import {
  changeServiceNote,
  readServiceNote,
  type ServiceNote,
  type Sighting,
  type StoredReset,
} from './note.ts'

const MOST_SIGHTINGS = 5
const MOST_RESETS = 5

/** Stores nothing if there are enough sightings of its name and all of them agree. */
export async function addSighting(context: Within, sighting: Sighting): Promise<void> {
  if (withSighting(await readServiceNote(context), sighting) === undefined) return
  await changeServiceNote(context, (note) => withSighting(note, sighting) ?? note)
}

/** Adds a sighting, the newest first; `undefined` if it adds nothing. */
function withSighting(note: ServiceNote, sighting: Sighting): ServiceNote | undefined {
  const isSameName = ({ name }: Sighting) => name === sighting.name
  const own = note.sightings.filter(isSameName)
  const isKnown = own.some(({ atMs, value }) => atMs === sighting.atMs && value === sighting.value)
  const isEnough = own.length === MOST_SIGHTINGS && own.every(({ value }) => value === sighting.value)
  if (isKnown || isEnough) return undefined
  const others = note.sightings.filter((one) => !isSameName(one))
  return { ...note, sightings: [sighting, ...own.slice(0, MOST_SIGHTINGS - 1), ...others] }
}

/** Stores that the month was reset within a span, which excludes zones where that is impossible (8.3). */
export async function addReset(context: Within, reset: StoredReset): Promise<void> {
  const change = (note: ServiceNote) => withResets(note, [reset, ...note.resets])
  // Finding the zones takes a while: do it before other writers must wait for the change.
  change(await readServiceNote(context))
  await changeServiceNote(context, change)
}

/** Replaces the resets of a note, and finds the zones that fit all of them. */
export function withResets(note: ServiceNote, resets: readonly StoredReset[]): ServiceNote {
  const { zones: _, ...others } = note
  const newest = resets.slice(0, MOST_RESETS)
  const zones = zonesOf(newest)
  return { ...others, resets: newest, ...(zones && { zones }) }
}

let latest: { of: string; zones: readonly string[] | undefined } = { of: '[]', zones: undefined }

function zonesOf(resets: readonly StoredReset[]): readonly string[] | undefined {
  const of = JSON.stringify(resets)
  if (latest.of !== of) {
    const zones = resets.reduce<readonly string[]>(zonesThatFit, ASSUMED.month_zones)
    latest = { of, zones: zones === ASSUMED.month_zones || zones.length === 0 ? undefined : zones }
  }
  return latest.zones
}
