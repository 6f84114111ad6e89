import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useJson } from '../../../src/web/record/state.ts'

const State = () => {
  const { found, changed, isOpen } = useJson()
  return <p>{JSON.stringify([found ?? null, changed.size, isOpen('/a', {})])}</p>
}

test('without a record nothing is searched, changed or open', () => {
  render(<State />)
  expect(screen.getByText('[null,0,false]')).toBeVisible()
})
