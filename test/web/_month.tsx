// The only place that draws a part of the page for a snapshot of the month, without the app.
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { parseOrganizationId } from '../../src/contract/organization.ts'
import type { Problem } from '../../src/contract/problem.ts'
import type { MonthSnapshot, QuotaSnapshot } from '../../src/contract/quota.ts'
import type { SignedIn } from '../../src/contract/session.ts'
import { createQueryClient } from '../../src/web/lib/query.ts'
import { useUi } from '../../src/web/lib/ui.ts'
import { QUOTA_KEY, type ReceivedQuota } from '../../src/web/quota/query.ts'
import { month, snapshot } from './_snapshot.ts'

export const SESSION: SignedIn = {
  signed_in: true,
  id: 'session',
  method: 'oauth',
  organization_id: parseOrganizationId('1001'),
  ends_in: 3600,
  plan_page: 'https://service.example/plan?organization_id=1001',
  authorize: {
    authorization_endpoint: 'https://service.example/oauth2/login',
    client_id: 'a-client',
    redirect_uri: 'http://localhost:3000/callback',
  },
}

/** A snapshot that came at noon in UTC, on a day when the reset is ahead in every zone. */
export const received = (
  changes: Partial<MonthSnapshot>,
  rest: Partial<QuotaSnapshot> = {},
): ReceivedQuota => ({
  snapshot: snapshot({ month: month(changes), ...rest }),
  atMs: Date.now(),
  wallMs: Date.UTC(2026, 10, 21, 12),
})

/** Draws with this snapshot, or as before the first one. */
export function draw(children: ReactNode, quota?: ReceivedQuota) {
  useUi.setState(useUi.getInitialState())
  const client = createQueryClient(() => {})
  let fail: (problem: Problem) => void = () => {}
  const asked = new Promise<never>((_, reject) => {
    fail = reject
  })
  client.setQueryDefaults(QUOTA_KEY, { queryFn: () => asked })
  const show = (now: ReceivedQuota): void => void client.setQueryData(QUOTA_KEY, now)
  if (quota) show(quota)
  const { unmount } = render(<QueryClientProvider client={client}>{children}</QueryClientProvider>)
  return { client, show, fail, unmount, user: userEvent.setup() }
}
