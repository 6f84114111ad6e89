/** Plays commands against a service, and says which invariants are violated. */
import * as fc from 'fast-check'
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import type { Command } from './commands.ts'
import { violationsOf } from './invariants.ts'
import { Model } from './model.ts'
import type { Recording } from './recording.ts'
import { type Breakage, World } from './world.ts'

export interface Played {
  recording: Recording
  violations: string[]
  /** The last command, which shows them. */
  last: string
}

/** After each command all invariants are looked at, so the last one that is played is the one that shows a violation. */
export async function play(
  choices: Choices,
  commands: Iterable<Command>,
  breakage?: Breakage,
): Promise<Played> {
  const world = new World(choices, breakage)
  const played: Played = { recording: world.recording, violations: [], last: '' }
  const watched = [...commands].map(
    (command): Command => ({
      check: (model) => played.violations.length === 0 && command.check(model),
      toString: () => String(command),
      async run(model, real) {
        await command.run(model, real)
        Object.assign(played, { violations: violationsOf(real.takeVerdicts()), last: String(command) })
      },
    }),
  )
  try {
    await fc.asyncModelRun(() => ({ model: new Model(world), real: world }), watched)
  } finally {
    await world.app.store.close()
  }
  return played
}
