/** Examines a deployment, and sends nothing to the service. */
import { readSettings } from '../settings/settings.ts'
import { CHECKS, gatherFacts } from './checks.ts'

interface Finding {
  level: 'ok' | 'warning' | 'fault'
  about: string
  text: string
  advice?: string
}

/** @param write is called with the parts of the report @returns the exit code: 1 if there is a fault */
export async function runDoctor(
  environment: NodeJS.ProcessEnv,
  write: (text: string) => void,
): Promise<0 | 1> {
  const findings = await findingsOf(environment)
  for (const { level, about, text, advice } of findings) {
    write(`${level.padEnd(8)} ${about.padEnd(12)} ${text}\n`)
    if (advice !== undefined) write(`${' '.repeat(22)}-> ${advice}\n`)
  }
  const count = (of: Finding['level']) => findings.filter(({ level }) => level === of).length
  const counted = (of: 'warning' | 'fault') => `${count(of)} ${of}${count(of) === 1 ? '' : 's'}`
  write(`\n${count('ok')} ok, ${counted('warning')}, ${counted('fault')}\n`)
  return count('fault') > 0 ? 1 : 0
}

/** A subject without a finding is in order. If the settings cannot be read, nothing else is examined. */
async function findingsOf(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  let settings: ReturnType<typeof readSettings>
  try {
    settings = readSettings(environment)
  } catch (error) {
    const [, ...lines] = (error as Error).message.split('\n  - ')
    return lines.map((text) => ({ level: 'fault', about: 'settings', text }))
  }
  const facts = await gatherFacts(settings)
  const found = CHECKS.flatMap(({ test, level = 'fault', ...check }): Finding[] => {
    const text = test(facts)
    return text ? [{ ...check, level, text }] : []
  })
  const fine = new Set(CHECKS.map(({ about }) => about))
  for (const { about } of found) fine.delete(about)
  return [...[...fine].map((about): Finding => ({ level: 'ok', about, text: 'nothing is wrong' })), ...found]
}
