/** The JSON routes of the control plane as a table: what each does, what it takes, and what it answers. */
import * as v from 'valibot'
import { CHOICES_SCHEMA } from '../choices/choices.ts'
import type { Context } from '../state/context.ts'
import { FAULT } from '../state/injected-fault.ts'
import { LIMIT_CHANGES } from '../state/state.ts'
import { type Actions, CLOCK_COMMAND, type ClockCommand, LIMITS, PLAN_CHANGES } from './actions.ts'
import type { Entries } from './form.tsx'
import { differencesFrom, EXPECTATIONS, FILTER_NAMES, filterLog } from './ledger.ts'
import * as mint from './mint.ts'
import { PRESET, PRESETS, USAGE, USAGE_CHANGES } from './usage.ts'

export interface RouteParts {
  actions: Actions
  context: () => Context
  changed: () => void
  /** The host name under which the client reached the control plane. */
  reachedAs: string
  /** Absent if this sandbox cannot open others. */
  openWorld?: ((reachedAs: string) => { url: string; control_url: string }) | undefined
}

export interface ControlRoute {
  summary: string
  body?: v.GenericSchema
  query?: readonly string[]
  fields?: Entries
  /** Makes its whole change or none. `undefined` is answered 204. @throws Error that names what is wrong */
  run: (parts: RouteParts, body: unknown, query: URLSearchParams) => unknown
}

/** Answered 409 with its content. */
export class Conflict extends Error {
  readonly content: unknown

  constructor(content: unknown) {
    super('The expectations are not met')
    this.content = content
  }
}

const ANY_OBJECT = v.looseObject({})

/** A route that calls the action of this name with the body. */
const action = (
  name: Exclude<keyof Actions, 'moveClock'>,
  summary: string,
  body?: v.GenericSchema,
  fields?: Entries,
): ControlRoute => ({
  summary,
  ...(body && { body }),
  ...(fields && { fields }),
  run: ({ actions }, value) => actions[name](value),
})

const minting = (
  issue: (context: Context, wanted: unknown) => unknown,
  summary: string,
  body: v.GenericSchema,
): ControlRoute => ({
  summary,
  body,
  run({ context, changed }, wanted) {
    const minted = issue(context(), wanted)
    changed()
    return minted
  },
})

/** By method and path. */
export const CONTROL_ROUTES: Record<`${string} /${string}`, ControlRoute> = {
  'GET /profile': action('choices', 'The chosen values'),
  'PATCH /profile': action(
    'changeChoices',
    'Changes choices, from the next request on',
    v.partial(CHOICES_SCHEMA),
    CHOICES_SCHEMA.entries,
  ),
  'GET /clock': action('clock', 'The time of the sandbox'),
  'POST /clock': {
    summary: 'Moves, freezes or runs the clock',
    body: CLOCK_COMMAND,
    run({ actions }, command) {
      actions.moveClock(command as ClockCommand)
      return actions.clock()
    },
  },
  'GET /ledger': {
    summary: 'The request log with masked secrets, oldest first',
    query: FILTER_NAMES,
    run: ({ actions }, _, query) => filterLog(actions.requestLog(), query),
  },
  'DELETE /ledger': action('clearRequestLog', 'Clears the request log'),
  'POST /verify': {
    summary: 'Compares the request log with expectations; 409 names the differences',
    body: EXPECTATIONS,
    run({ actions }, body) {
      const differences = differencesFrom(actions.requestLog(), body)
      if (differences.length > 0) throw new Conflict({ differences })
      return { differences }
    },
  },
  'GET /faults': action('faults', 'The faults that are set'),
  'POST /faults': action('addFault', 'Makes the next requests fail', FAULT, FAULT.entries),
  'DELETE /faults': action('clearFaults', 'Clears all faults'),
  'GET /limits': action('limits', 'The limits that differ from those of the plan'),
  'PUT /limits': action(
    'changeLimits',
    'Replaces these limits, by organization id',
    LIMITS,
    LIMIT_CHANGES.entries,
  ),
  'PATCH /plans': action('changePlans', 'Changes plans, by organization id', PLAN_CHANGES),
  'GET /usage': action('usage', 'The requests used in the month and in the open minute'),
  'PATCH /usage': action(
    'changeUsage',
    'Sets these counts, by organization id',
    USAGE_CHANGES,
    USAGE.entries,
  ),
  'GET /presets': { summary: 'The named beginnings', run: () => PRESETS },
  'POST /presets': action('applyPreset', 'Sets what a preset lists', PRESET),
  'GET /tokens': {
    summary: 'The state of each code and token, without its value',
    run: ({ context }) => mint.tokenStates(context()),
  },
  'POST /tokens': minting(mint.tokens, 'Issues tokens as the code grant would', mint.PERMISSION),
  'POST /codes': minting(mint.code, 'Issues a code for an exchange', mint.PERMISSION),
  'POST /api-keys': minting(mint.key, 'Issues an API key, also beyond the maximum', mint.NEW_KEY),
  'POST /applications': minting(
    mint.application,
    'Registers an application, also beyond the maximum',
    mint.NEW_APPLICATION,
  ),
  'GET /snapshot': action('snapshot', 'The whole state, with its secrets'),
  'POST /restore': action('restore', 'Replaces the state by a snapshot', ANY_OBJECT),
  'POST /seed': action('seed', 'Resets to other records; the first seed fills in missing ones', ANY_OBJECT),
  'POST /worlds': {
    summary: 'Opens an isolated copy of the last seed, with its own clock, choices, faults and log',
    run({ openWorld, reachedAs }) {
      if (openWorld === undefined) throw new Error('This sandbox opens no worlds')
      return openWorld(reachedAs)
    },
  },
  'POST /reset': action('reset', 'Goes back to the last seed and the choices of the start'),
}

/** By path, then by method. */
export const METHODS_BY_PATH: Record<string, Record<string, ControlRoute>> = {}
for (const [at, route] of Object.entries(CONTROL_ROUTES)) {
  const [method = '', path = ''] = at.split(' ')
  METHODS_BY_PATH[path] = { ...METHODS_BY_PATH[path], [method]: route }
}
