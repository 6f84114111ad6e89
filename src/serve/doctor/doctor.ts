/** Examines a deployment. Sends nothing to the service, unless one request is allowed and confirmed. */
import { readFileSync } from 'node:fs'
import { examineNetwork } from './network.ts'
import { examineSettings } from './settings.ts'
import { examineService, spendQuestion } from './spend.ts'
import { examineStore, storeLimits } from './store.ts'
import { type Finding, fault, formatCounts, formatFinding, ok } from './finding.ts'
import { readSettings, type Settings } from '../settings/settings.ts'

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
export async function runDoctor(parts: DoctorParts): Promise<0 | 1> {
  const findings: Finding[] = []
  const report = (found: readonly Finding[]) => {
    for (const finding of found) parts.write(formatFinding(finding))
    findings.push(...found)
  }
  const settings = readOrReport(parts, report)
  if (settings !== undefined) {
    report(examineSettings(settings))
    report(await examineStore(settings, storeLimits(parts.now())))
    report(await examineNetwork(settings, parts.now()))
    report(await spend(settings, parts))
  }
  parts.write(`\n${formatCounts(findings)}`)
  return findings.some(({ level }) => level === 'fault') ? 1 : 0
}

/** Reads the settings. If it cannot, each error is a fault, and nothing else is examined. */
function readOrReport(
  { environment }: DoctorParts,
  report: (found: Finding[]) => void,
): Settings | undefined {
  try {
    return readSettings(environment, (path) => readFileSync(path, 'utf8'))
  } catch (error) {
    const errors = (error as Error).message.split('\n').slice(1)
    report(
      errors.map((line) => fault('settings', line.replace(/^ *- /, ''), 'correct it, and examine again')),
    )
    return undefined
  }
}

async function spend(settings: Settings, { maySpend, confirm, now }: DoctorParts): Promise<Finding[]> {
  if (settings.serviceUrl === undefined) return []
  if (!maySpend) return [ok('service', 'nothing was sent to it; --spend examines it by one request')]
  if (!(await confirm(spendQuestion(settings)))) return [ok('service', 'nothing was sent to it')]
  return examineService(settings, now)
}
