// 500 faults: no token is lost, no session is stuck, the ledger's interval contains the true count, and no
// lease outlives its lapse.
import { abortPresses } from './crash-abort.ts'
import { killAtService, killAtSteps } from './crash-kill.ts'
import { loseLeases } from './crash-lease.ts'
import { stopDuringRefresh } from './crash-stop.ts'
import { failWrites } from './crash-store.ts'
import { inLanes } from './recovery.ts'
import type { Report } from './report.ts'

const FULL_FAULTS = 500
const STOPS = 64
const FAILURES = 48
const LEASES_OF_A_VARIANT = 10

/**
 * @param rounds about how many faults; at least one of each kind. A short run leaves out the lost leases,
 * which take a minute.
 */
export async function run(report: Report, rounds = FULL_FAULTS): Promise<void> {
  const share = Math.min(1, rounds / FULL_FAULTS)
  const some = (full: number) => Math.max(1, Math.round(full * share))
  const parts = [
    () => killAtSteps(report, share),
    // Each waits until the killed process's lease has lapsed.
    async () => (share >= 0.1 ? killAtService(report, share) : 0),
    () => stopDuringRefresh(report, some(STOPS)),
    () => failWrites(report, some(FAILURES)),
  ]
  let faults = 0
  // A short run mostly waits.
  await inLanes(share >= 0.1 ? 1 : parts.length, parts, async (part) => {
    const done = await part()
    faults += done
  })
  if (share === 1) faults += await loseLeases(report, LEASES_OF_A_VARIANT)
  faults += await abortPresses(report, Math.max(1, rounds - faults))
  report.line(`${faults} faults`)
}
