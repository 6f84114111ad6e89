import { useUi } from '../lib/ui.ts'
import { SpendButton, SpendNotice, useSpend } from '../spend/button.tsx'
import { checkLimits } from '../spend/paid-read.ts'
import { words } from '../text/text.ts'
import { MinutePanel } from './panel.tsx'
import { Recent } from './recent.tsx'

export function MinuteCard() {
  const t = words().minute
  const limits = useSpend('check', checkLimits)
  const quota = useUi((ui) => ui.quota)
  return (
    <MinutePanel below={<Recent quota={quota} />}>
      {/* Nothing above it changes its height, so that it does not move under a finger. */}
      <SpendButton label={t.check} anyway={t.checkAnyway} spend={limits} />
      <SpendNotice spend={limits} again={t.checkAgain} />
    </MinutePanel>
  )
}
