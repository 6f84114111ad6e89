import { act, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import { Stale, useStale } from '../../../src/web/quota/stale.tsx'
import { type Ui, useUi } from '../../../src/web/lib/ui.ts'

const atMs = performance.now() - 180_000

function Word() {
  return useStale() ? <Stale atMs={atMs} /> : 'new'
}

test.each<[Partial<Ui>, string]>([
  [{ live: 'live' }, 'new'],
  [{ live: 'connecting' }, 'new'],
  [{ live: 'not_live' }, 'Last update 3 minutes ago'],
  [{ live: 'live', quotaProblem: new Problem('bff_unreachable') }, 'Last update 3 minutes ago'],
])('where the page is %o a card is "%s" (B20)', (ui, words) => {
  render(<Word />)
  act(() => useUi.setState({ ...useUi.getInitialState(), ...ui }))
  expect(screen.getByText(words)).toBeVisible()
})
