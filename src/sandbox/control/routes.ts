/** The JSON routes of the control plane as a table: what each does, what it takes, and what it answers. */
import * as v from 'valibot'
import { CHOICES_SCHEMA } from '../choices/choices.ts'
import type { Context } from '../state/context.ts'
import { FAULT } from '../state/injected-fault.ts'
import { parse } from '../state/parse.ts'
import { type Actions, LIMITS, PLAN_CHANGES } from './actions.ts'
import { CLOCK_COMMAND, clockState, moveClock } from './clock.ts'
import { differencesFrom, EXPECTATIONS, FILTER_NAMES, filterLog } from './ledger.ts'
import * as minting from './mint.ts'
import { PRESETS } from './presets.ts'
import { tokenStates } from './token-state.ts'
import { USAGE_CHANGES } from './usage.ts'

export interface RouteParts {
  actions: Actions
  context: () => Context
  changed: () => void
  /** Absent if this sandbox cannot open others. */
  openWorld?: (() => { url: string; control_url: string }) | undefined
}

export interface ControlRoute {
  /** For the OpenAPI document. */
  summary: string
  body?: v.GenericSchema
  query?: readonly string[]
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

const PRESET = v.strictObject({ name: v.picklist(Object.keys(PRESETS)) })
const ANY_OBJECT = v.looseObject({})

const mint =
  (issue: (context: Context, wanted: unknown) => unknown): ControlRoute['run'] =>
  ({ context, changed }, body) => {
    const minted = issue(context(), body)
    changed()
    return minted
  }

/** By method and path. */
export const CONTROL_ROUTES: Record<`${string} /${string}`, ControlRoute> = {
  'GET /profile': { summary: 'The chosen values', run: ({ actions }) => actions.choices() },
  'PATCH /profile': {
    summary: 'Changes choices, from the next request on',
    body: v.partial(CHOICES_SCHEMA),
    run: ({ actions }, body) => actions.changeChoices(body),
  },
  'GET /clock': { summary: 'The time of the sandbox', run: ({ context }) => clockState(context()) },
  'POST /clock': {
    summary: 'Moves, freezes or runs the clock',
    body: CLOCK_COMMAND,
    run({ actions, context }, command) {
      moveClock(actions.clock, command)
      return clockState(context())
    },
  },
  'GET /ledger': {
    summary: 'The request log with masked secrets, oldest first',
    query: FILTER_NAMES,
    run: ({ actions }, _, query) => filterLog(actions.requestLog(), query),
  },
  'DELETE /ledger': { summary: 'Clears the request log', run: ({ actions }) => actions.clearRequestLog() },
  'POST /verify': {
    summary: 'Compares the request log with expectations; 409 names the differences',
    body: EXPECTATIONS,
    run({ actions }, body) {
      const differences = differencesFrom(actions.requestLog(), body)
      if (differences.length > 0) throw new Conflict({ differences })
      return { differences }
    },
  },
  'GET /faults': { summary: 'The faults that are set', run: ({ actions }) => actions.faults() },
  'POST /faults': {
    summary: 'Makes the next requests fail',
    body: FAULT,
    run: ({ actions }, body) => actions.addFault(body),
  },
  'DELETE /faults': { summary: 'Clears all faults', run: ({ actions }) => actions.clearFaults() },
  'GET /limits': {
    summary: 'The limits that differ from those of the plan',
    run: ({ actions }) => actions.limits(),
  },
  'PUT /limits': {
    summary: 'Replaces them, by organization id',
    body: LIMITS,
    run: ({ actions }, body) => actions.changeLimits(body),
  },
  'PATCH /plans': {
    summary: 'Changes plans, by organization id',
    body: PLAN_CHANGES,
    run: ({ actions }, body) => actions.changePlans(body),
  },
  'GET /usage': {
    summary: 'What is used of the month and of the open minute',
    run: ({ actions }) => actions.usage(),
  },
  'PATCH /usage': {
    summary: 'Sets counts, by organization id',
    body: USAGE_CHANGES,
    run: ({ actions }, body) => actions.changeUsage(body),
  },
  'GET /presets': { summary: 'The named states', run: () => PRESETS },
  'POST /presets': {
    summary: 'Sets what a preset lists; default takes all presets back',
    body: PRESET,
    run: ({ actions }, body) => actions.applyPreset(parse(PRESET, body, 'body').name),
  },
  'GET /tokens': {
    summary: 'The state of each code and token, without its value',
    run: ({ context }) => tokenStates(context()),
  },
  'POST /tokens': {
    summary: 'Issues tokens as the code grant would',
    body: minting.PERMISSION,
    run: mint(minting.mintTokens),
  },
  'POST /codes': {
    summary: 'Issues a code for an exchange',
    body: minting.PERMISSION,
    run: mint(minting.mintCode),
  },
  'POST /api-keys': {
    summary: 'Issues an API key, also beyond the maximum',
    body: minting.NEW_KEY,
    run: mint(minting.mintKey),
  },
  'POST /applications': {
    summary: 'Registers an application, also beyond the maximum',
    body: minting.NEW_APPLICATION,
    run: mint(minting.mintApplication),
  },
  'GET /snapshot': {
    summary: 'The whole state, with its secrets',
    run: ({ actions }) => actions.snapshot(),
  },
  'POST /restore': {
    summary: 'Replaces the state by a snapshot',
    body: ANY_OBJECT,
    run: ({ actions }, body) => actions.restore(body),
  },
  'POST /seed': {
    summary: 'Resets to other records; the first seed fills in missing ones',
    body: ANY_OBJECT,
    run: ({ actions }, body) => actions.seed(body),
  },
  'POST /worlds': {
    summary: 'Opens an isolated copy of the last seed, with its own clock, choices, faults and log',
    run({ openWorld }) {
      if (openWorld === undefined) throw new Error('This sandbox opens no worlds')
      return openWorld()
    },
  },
  'POST /reset': {
    summary: 'Goes back to the last seed and the choices of the start',
    run: ({ actions }) => actions.reset(),
  },
}

/** By path, then by method. */
export const METHODS_BY_PATH: Record<string, Record<string, ControlRoute>> = {}
for (const [at, route] of Object.entries(CONTROL_ROUTES)) {
  const [method = '', path = ''] = at.split(' ')
  METHODS_BY_PATH[path] = { ...METHODS_BY_PATH[path], [method]: route }
}
