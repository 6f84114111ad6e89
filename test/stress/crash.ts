// 500 faults: no token lost that was received, no session stuck, a ledger that contains the truth, no lease beyond its lapse.
import { killAtService, killAtSteps } from './crash-kill.ts'
import type { Report } from './report.ts'

const FULL_FAULTS = 500

/** @param rounds about how many faults */
export async function run(report: Report, rounds = FULL_FAULTS): Promise<void> {
  const share = rounds / FULL_FAULTS
  let faults = await killAtSteps(report, share)
  faults += await killAtService(report, share)
  report.line(`${faults} faults`)
}
