/** Stores what the token endpoint reports about the minute of the token in its answer (8.4). */
import { isFromCache } from '../../contract/clock.ts'
import { fold } from '../../contract/gauge.ts'
import { REQUEST_CLASSES, readRateHeaders } from '../../contract/rate-limit.ts'
import type { Context } from '../core/context.ts'
import { changeTokenNote, readOrganizationNote } from './note.ts'
import type { ServiceAnswer } from '../service/request.ts'
import { UNPROVEN_MS } from '../session/limit-owner.ts'
import { accessTokenName } from '../session/record.ts'

/**
 * Stores a limit only if the API has reported it for exactly one class of the organization: a token request
 * presents no access token (4.2), so any other report may be about something else.
 */
export async function observeTokenAnswer(
  context: Context,
  organization: string,
  accessToken: string,
  { headers, servedAtSeconds }: Pick<ServiceAnswer, 'headers' | 'servedAtSeconds'>,
): Promise<void> {
  const reading = readRateHeaders(headers, servedAtSeconds)
  if (reading.limit === undefined || isFromCache(headers)) return
  const { limits } = await readOrganizationNote(context, organization)
  const [described, another] = REQUEST_CLASSES.filter((name) => limits[name] === reading.limit)
  if (described === undefined || another !== undefined) return
  const observation = { ...reading, class: described, assumed: true, servedAtSeconds }
  // The session may be unproven.
  await changeTokenNote(
    context,
    accessTokenName(accessToken),
    (known) => ({ ...known, gauges: fold(known.gauges, [observation]) }),
    UNPROVEN_MS,
  )
}
