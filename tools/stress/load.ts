import { setTimeout as wait } from 'node:timers/promises'
import { BUSINESS } from '../../test/kit/app.ts'
import { type Load, newLoad, runClient } from './load-client.ts'
import { COLLECTABLE, residentMemory } from './memory.ts'
import { openPerson, type Person, signIn } from './person.ts'
import { startProbe } from './probe.ts'
import { openSetup, type Setup } from './process.ts'
import type { Report } from './report.ts'
import { openSilentSockets, possibleSockets } from './silent-sockets.ts'

const PEOPLE = 64
const SOCKETS = 10_000
const CLOSED_WITHIN_S = 60
const STOPPED_WITHIN_S = 10
/** Shorter runs end before the memory use is steady. */
const FULL_S = 60

/** @param rounds seconds of load; below 60, memory is not compared and no socket stays silent */
export async function run(report: Report, rounds = FULL_S): Promise<void> {
  const setup = await openSetup({ processes: 1 })
  const people = Array.from({ length: PEOPLE }, () => openPerson(setup.service, nextProcess(setup)))
  try {
    await setup.start(COLLECTABLE)
    for (let nth = 0; nth < PEOPLE; nth += 8)
      await Promise.all(people.slice(nth, nth + 8).map((person) => signIn(person, BUSINESS)))
    await underLoad(report, setup, people, rounds)
    if (rounds >= FULL_S) await withSilence(report, setup, people.slice(0, 8), SOCKETS)
  } finally {
    await Promise.all(people.map((person) => person.close()))
    await setup.close()
  }
}

/** Goes to the next running process, as behind a load balancer that does not check for a stop. */
function nextProcess({ apps }: Setup): () => Setup['apps'][number] {
  let requests = 0
  return () => {
    const running = apps.filter((app) => app.isRunning())
    const app = running[(requests += 1) % running.length]
    if (app === undefined) throw new Error('there is no app process')
    return app
  }
}

async function underLoad(
  report: Report,
  setup: Setup,
  people: readonly Person[],
  seconds: number,
): Promise<void> {
  const load = newLoad()
  const over = new AbortController()
  const [stopping, staying] = setup.apps
  if (stopping === undefined || staying === undefined) throw new Error('there are two app processes')
  const running = people.map((person) => runClient(person, load, () => over.signal.aborted))
  try {
    // A process grows until its code is compiled.
    await wait(seconds * 200)
    const first = await residentMemory(staying, seconds * 100)
    await wait(seconds * 400)
    const stoppedAtMs = performance.now()
    const exit = await stopping.stop('SIGTERM')
    const stoppedAfterS = (performance.now() - stoppedAtMs) / 1000
    await setup.start()
    await wait(seconds * 400)
    const last = await residentMemory(staying, seconds * 100)
    over.abort()
    await Promise.all(running)
    reportLoad(report, load, { seconds, exit, stoppedAfterS, first, last })
    if (load.wrong.size > 0) for (const line of problemsOf(setup)) report.line(line)
  } finally {
    over.abort()
    await Promise.allSettled(running)
  }
}

/** The last problems in the logs of the processes. */
const problemsOf = ({ apps }: Setup): string[] =>
  apps.flatMap((app) =>
    app
      .output()
      .split('\n')
      .filter((line) => /"cause"/.test(line))
      .slice(-3),
  )

function reportLoad(
  report: Report,
  load: Load,
  {
    seconds,
    exit,
    stoppedAfterS,
    first,
    last,
  }: { seconds: number; exit: number | string; stoppedAfterS: number; first: number; last: number },
): void {
  const wrong = [...load.wrong].map(([what, times]) => `${times} x ${what}`)
  report.line(
    `${load.answered} answers in ${seconds} s and a warm-up, ${load.paid} paid for, the slowest ${Math.round(load.slowestMs)} ms; ` +
      `memory after a collection ${first.toFixed(1)} MB, then ${last.toFixed(1)} MB; the stop took ${stoppedAfterS.toFixed(1)} s and ended with ${exit}`,
  )
  for (const line of wrong) report.line(`wrong: ${line}`)
  const counts = {
    'wrong answers': [...load.wrong.values()].reduce((sum, times) => sum + times, 0),
    'connections refused': load.refused,
    'connections broken': load.broken,
    'seconds to stop': Math.ceil(stoppedAfterS),
    'memory grown by per cent': first === 0 ? 0 : Math.round((100 * (last - first)) / first),
  }
  report.counts(`${PEOPLE} connections`, counts, {
    'wrong answers': 0,
    // An open connection may be closed just as a request is sent on it.
    'connections broken': `<= ${PEOPLE}`,
    'seconds to stop': `<= ${STOPPED_WITHIN_S}`,
    ...(seconds >= FULL_S && { 'memory grown by per cent': '<= 10' as const }),
  })
}

async function withSilence(
  report: Report,
  setup: Setup,
  people: readonly Person[],
  wanted: number,
): Promise<void> {
  const target = setup.apps.findLast((app) => app.isRunning())
  if (target === undefined) throw new Error('there is no app process')
  const possible = possibleSockets(wanted)
  if (possible < wanted)
    report.line(`ONLY ${possible} of ${wanted} sockets: the limit of open files is too low`)
  const endProbe = startProbe(() => target)
  const load = newLoad()
  const over = new AbortController()
  for (const person of people) person.to = target
  const running = people.map((person) => runClient(person, load, () => over.signal.aborted))
  const silent = await openSilentSockets(target.port, possible)
  try {
    const closedAfterS = await silent.allClosed(CLOSED_WITHIN_S * 1000)
    over.abort()
    await Promise.all(running)
    const probed = await endProbe()
    report.line(
      `${silent.opened} silent sockets (${possible - silent.opened} failed: ${silent.failures.join(', ')}), the last one closed after ${closedAfterS.toFixed(1)} s; meanwhile ${load.answered} answers, ` +
        `the slowest ${Math.round(load.slowestMs)} ms, and ${probed.asked} probes, the slowest ${Math.round(probed.slowestMs)} ms`,
    )
    for (const [what, times] of load.wrong) report.line(`wrong: ${times} x ${what}`)
    report.counts(
      `${silent.opened} silent sockets`,
      {
        'still open after a minute': possible - silent.closed(),
        'wrong answers': [...load.wrong.values()].reduce((sum, times) => sum + times, 0),
        'connections refused or broken': load.refused + load.broken,
        'probes over 200 ms': probed.late,
      },
      {
        'still open after a minute': 0,
        'wrong answers': 0,
        'connections refused or broken': 0,
        'probes over 200 ms': 0,
      },
    )
  } finally {
    over.abort()
    silent.destroy()
    await Promise.allSettled(running)
  }
}
