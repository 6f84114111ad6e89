// The steps of two processes at the end of a token, in orders that seeds give (5.4, 8.3).
import { type Ended, playOrder } from './orders/order.ts'
import type { PlantedFault } from './orders/planted-faults.ts'
import type { Report } from './report.ts'

const FULL_ORDERS = 10_000
/** A fault shows in many orders; the first ones are enough to look at. */
const MOST_SHOWN = 10

export async function run(report: Report, rounds = FULL_ORDERS, seed?: number): Promise<void> {
  if (seed !== undefined) return playOne(report, seed)
  const sum = { orders: 0, steps: 0, 'orders with a violation': 0 }
  const modes: Record<string, number> = {}
  for (let each = 1; each <= rounds; each += 1) {
    const ended = await playOrder(each)
    sum.orders += 1
    sum.steps += ended.steps
    modes[ended.scenario.mode] = (modes[ended.scenario.mode] ?? 0) + 1
    if (ended.violations.length === 0) continue
    sum['orders with a violation'] += 1
    if (sum['orders with a violation'] <= MOST_SHOWN) report.line(describe(ended))
  }
  report.counts('orders', { ...sum, ...modes }, { 'orders with a violation': 0 })
}

async function playOne(report: Report, seed: number): Promise<void> {
  const ended = await playOrder(seed)
  for (const step of ended.trace) report.line(step)
  report.line(JSON.stringify(ended.scenario))
  if (ended.violations.length > 0) report.line(describe(ended))
  report.counts(`the order of seed ${seed}`, { violations: ended.violations.length }, { violations: 0 })
}

/** The first order that violates an invariant; `undefined` if none of so many does. */
export async function findViolation(most: number, fault?: PlantedFault): Promise<string | undefined> {
  for (let seed = 1; seed <= most; seed += 1) {
    const ended = await playOrder(seed, fault)
    if (ended.violations.length > 0) return describe(ended)
  }
  return undefined
}

/** Says how the order is played again. */
const describe = ({ seed, scenario, violations }: Ended): string =>
  [
    `seed ${seed} (${scenario.mode}, ${Object.values(scenario.choices).join(', ')}) violates:`,
    ...violations,
    `Play it again: npm run stress -- orders --seed ${seed}`,
  ].join('\n  ')
