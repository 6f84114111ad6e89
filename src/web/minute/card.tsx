import { useQuota } from '../quota/query.ts'
import { SpendButton, SpendNotice } from '../spend/button.tsx'
import { useLimitsCheck } from '../spend/paid.ts'
import { words } from '../text/text.ts'
import { MinutePanel } from './panel.tsx'
import { Recent } from './recent.tsx'

export function MinuteCard() {
  const t = words().minute
  const limits = useLimitsCheck()
  const quota = useQuota()
  return (
    <MinutePanel below={<Recent quota={quota} />}>
      {/* Nothing above it changes its height, so that it does not move under a finger. */}
      <SpendButton label={t.check} spend={limits} />
      <SpendNotice spend={limits} again={t.checkAgain} />
    </MinutePanel>
  )
}
