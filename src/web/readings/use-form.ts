/** The state of the form of a reading. */
import { type FormEvent, type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import { asProblem, type Problem } from '../../contract/problem.ts'
import type { Reading, ReadingRequest } from '../../contract/readings.ts'
import { contradicted, type FieldErrors, refusedFields, requestOf } from './fields.ts'
import { deleteReading, getReadings, postReading } from './queries.ts'

export type OnSaved = (saved: Reading) => Promise<void>
/** @param without are removed first */
export type StoreReading = (request: ReadingRequest, without?: readonly Reading[]) => void

interface FormState {
  busy: boolean
  errors: FieldErrors
  problem?: Problem
  /** Refused because earlier readings were higher; `earlier` is empty if they cannot be read. */
  lower?: { request: ReadingRequest; earlier: Reading[] }
}

const IDLE: FormState = { busy: false, errors: {} }

async function refusedState(cause: unknown, request: ReadingRequest): Promise<FormState> {
  const problem = asProblem(cause)
  if (problem.code === 'lower_reading') {
    const readings = await getReadings().catch((): Reading[] => [])
    return { ...IDLE, lower: { request, earlier: contradicted(readings, request) } }
  }
  const errors = refusedFields(problem)
  return Object.keys(errors).length > 0 ? { ...IDLE, errors } : { ...IDLE, problem }
}

export function useReadingForm(onSaved: OnSaved, form: RefObject<HTMLFormElement | null>) {
  const [state, setState] = useState(IDLE)
  const field = (name: keyof FieldErrors) => form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)
  const show = (next: FormState): void => {
    // A field in a folded part takes no focus.
    flushSync(() => setState(next))
    if (next.errors.count) field('count')?.focus()
    else if (next.errors.read_at) field('read_at')?.focus()
  }
  const send = async (request: ReadingRequest, without: readonly Reading[]): Promise<void> => {
    show({ ...IDLE, busy: true })
    try {
      for (const { id } of without) await deleteReading(id)
      const saved = await postReading(request)
      form.current?.reset()
      await onSaved(saved)
      show(IDLE)
    } catch (error) {
      show(await refusedState(error, request))
    }
  }
  const store: StoreReading = (request, without = []) => {
    if (!state.busy) void send(request, without)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const typed = { count: field('count')?.value ?? '', read_at: field('read_at')?.value ?? '' }
    const { request, errors } = requestOf(typed)
    if (request) store(request)
    else show({ ...IDLE, errors })
  }
  return { ...state, submit, store, reset: () => setState(IDLE) }
}
