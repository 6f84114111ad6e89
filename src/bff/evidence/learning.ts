/** Stores what answers show about points that the document leaves open. Sends nothing to find out. */
import { ASSUMED } from '../../contract/assumptions.ts'
import { zonesThatFit } from '../../contract/month-zones.ts'
import type { Within } from '../core/context.ts'
import { changeServiceNote, readServiceNote, type ServiceNote, type StoredReset } from './note.ts'

const MOST_RESETS = 5

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
