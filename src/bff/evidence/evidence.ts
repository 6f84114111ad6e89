/** `/bff/evidence`: the observed behaviour of the service. Sends nothing to the service. */
import { type Evidence, FINDINGS, type FindingName, isCountFinding, SORTS } from '../../contract/evidence.ts'
import { Problem } from '../../contract/problem.ts'
import { type Context, serviceNowMs } from '../core/context.ts'
import { CONFIRMATION, readBody } from '../http/bodies.ts'
import { requireProvenSession, requireSession } from '../session/use.ts'
import { findingsOf } from './findings.ts'
import { changeServiceNote, readServiceNote, type ServiceNote } from './note.ts'

/** 200 with every finding. @throws Problem `signed_out` */
export async function getEvidence(context: Context, request: Request): Promise<Response> {
  await requireSession(context, request)
  return Response.json({
    findings: findingsOf(await readServiceNote(context), context.config.stated),
  } satisfies Evidence)
}

/**
 * `POST /bff/evidence/{name}`: a person confirms the value shown, and the app uses it from then on. 204.
 * @throws Problem `signed_out`, `not_confirmed`, `not_found` (the name), `invalid_request` (the body);
 *   `evidence_changed` if the value has changed meanwhile or cannot be confirmed
 */
export async function confirmFinding(context: Context, request: Request, id?: string): Promise<Response> {
  const name = await assertMayChange(context, request, id)
  const { value } = await readBody(request, CONFIRMATION)
  // Every other finding is certain once it was observed.
  if (!isCountFinding(name)) throw new Problem('evidence_changed')
  const confirmed = { counts: value === 'yes', atMs: serviceNowMs(context) }
  let isConfirmed: boolean | undefined
  await changeServiceNote(context, (note) => {
    isConfirmed = findingsOf(note, context.config.stated).some(
      (one) => one.name === name && one.confirmable && one.value === value,
    )
    return isConfirmed ? { ...note, confirmed: { ...note.confirmed, [SORTS[name]]: confirmed } } : note
  })
  if (!isConfirmed) throw new Problem('evidence_changed')
  return new Response(null, { status: 204 })
}

/**
 * `DELETE /bff/evidence/{name}`: forgets the observations, so that the assumption holds again. 204.
 * @throws Problem `signed_out`, `not_confirmed`, `not_found` (the name)
 */
export async function forgetFinding(context: Context, request: Request, id?: string): Promise<Response> {
  const name = await assertMayChange(context, request, id)
  const atMs = serviceNowMs(context)
  await changeServiceNote(context, (note) => without(note, name, atMs))
  return new Response(null, { status: 204 })
}

function without(note: ServiceNote, name: FindingName, atMs: number): ServiceNote {
  if (!isCountFinding(name)) {
    const { zones: _, ...others } = note
    return { ...others, resets: [], forgotten: { ...note.forgotten, month_zones: atMs } }
  }
  const sort = SORTS[name]
  const { [sort]: _, ...confirmed } = note.confirmed
  return { ...note, confirmed, forgotten: { ...note.forgotten, [sort]: atMs } }
}

/** A finding holds for all organizations, so a person who changes it must belong to one. */
async function assertMayChange(
  context: Context,
  request: Request,
  id: string | undefined,
): Promise<FindingName> {
  await requireProvenSession(context, request)
  const name = FINDINGS.find((one) => one === id)
  if (name === undefined) throw new Problem('not_found')
  return name
}
