/** Examines a deployment. Sends nothing to the service, unless one request is allowed and confirmed. */
import { readFileSync } from 'node:fs'
import { readSettings, type Settings } from '../settings/settings.ts'
import { CHECKS, type Check, gatherFacts } from './checks.ts'
import { askService, SPEND_CHECKS, spendQuestion } from './spend.ts'

export interface DoctorParts {
  environment: NodeJS.ProcessEnv
  maySpend: boolean
  /** @returns whether the answer is yes */
  confirm: (question: string) => Promise<boolean>
  write: (text: string) => void
  /** UNIX milliseconds. */
  now: () => number
}

/** @returns the exit code: 1 if there is a fault */
export async function runDoctor({ environment, maySpend, confirm, write, now }: DoctorParts): Promise<0 | 1> {
  const counts = { ok: 0, warning: 0, fault: 0 }
  const report = (findings: Finding[]) => {
    for (const { level, about, text, advice } of findings) {
      counts[level] += 1
      write(`${level.padEnd(8)} ${about.padEnd(12)} ${text}\n`)
      if (advice !== undefined) write(`${' '.repeat(22)}-> ${advice}\n`)
    }
  }
  const { settings, faults } = readOrRefuse(environment)
  report(faults)
  if (settings !== undefined) {
    report(examine(CHECKS, await gatherFacts(settings, now())))
    const isAllowed = maySpend && settings.serviceUrl && (await confirm(spendQuestion(settings)))
    if (isAllowed) report(examine(SPEND_CHECKS, await askService(settings, now)))
    else write('Nothing was sent to the service; --spend examines it by one request.\n')
  }
  write(`\n${counts.ok} ok, ${counts.warning} warnings, ${counts.fault} faults\n`)
  return counts.fault > 0 ? 1 : 0
}

interface Finding {
  level: 'ok' | 'warning' | 'fault'
  about: string
  text: string
  advice?: string
}

/** A subject of which nothing is found is in order. */
export function examine<Facts>(checks: readonly Check<Facts>[], facts: Facts): Finding[] {
  const found = checks.flatMap(({ test, level = 'fault', ...check }): Finding[] => {
    const text = test(facts)
    return text ? [{ ...check, level, text }] : []
  })
  const others = new Set(checks.map(({ about }) => about))
  for (const { about } of found) others.delete(about)
  const fine = [...others].map((about): Finding => ({ level: 'ok', about, text: 'nothing is wrong' }))
  return [...fine, ...found]
}

/** If the settings cannot be read, each error is a fault, and nothing else is examined. */
function readOrRefuse(environment: NodeJS.ProcessEnv): { settings?: Settings; faults: Finding[] } {
  try {
    return { settings: readSettings(environment, (path) => readFileSync(path, 'utf8')), faults: [] }
  } catch (error) {
    const [, ...lines] = (error as Error).message.split('\n  - ')
    return { faults: lines.map((text) => ({ level: 'fault', about: 'settings', text })) }
  }
}
