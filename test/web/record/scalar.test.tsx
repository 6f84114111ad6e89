import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Marked, Scalar } from '../../../src/web/record/scalar.tsx'
import { JsonContext } from '../../../src/web/record/state.ts'
import { Digits } from '../../../src/web/record/json-text.ts'

const searched = (query: string) => ({
  found: { query, count: 1, inside: new Map() },
  changed: new Set<string>(),
  isOpen: () => true,
  setOpen: () => {},
})

test.each([
  [null, 'not set'],
  [true, 'yes'],
  [false, 'no'],
  ['', 'empty'],
  [[], 'none'],
  [{}, 'empty'],
  [7, '7'],
  [new Digits('-0'), '-0'],
  [new Digits('1.10'), '1.10'],
])('%j is shown as %s', (value, words) => {
  const { container } = render(<Scalar of={value} />)
  expect(container).toHaveTextContent(words)
})

test('a list of words is chips', () => {
  render(<Scalar of={['rope', 7]} />)
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['rope', '7'])
})

test('a paragraph has the direction of its letters', () => {
  render(<Scalar of="شركة الحبال" />)
  expect(screen.getByText('شركة الحبال')).toHaveAttribute('dir', 'auto')
})

test('no address is a link', () => {
  const { container } = render(<Scalar of="https://example.org/" />)
  expect(container.querySelector('a')).toBeNull()
})

test('a text of megabytes is shown in parts, and hidden again', () => {
  const { container } = render(<Scalar of={'x'.repeat(30_000)} />)
  const button = () => screen.getByRole('button')
  expect(container.textContent?.length).toBeLessThan(400)
  fireEvent.click(button())
  expect(container.textContent?.length).toBeGreaterThan(20_000)
  fireEvent.click(button())
  expect(button()).toHaveTextContent('Show less')
  fireEvent.click(button())
  expect(container.textContent?.length).toBeLessThan(400)
})

test.each([
  ['Monday', 'mon', ['Mon']],
  ['a MONTH on a monday', 'mon', ['MON', 'mon']],
  ['nothing', 'mon', []],
  ['İmon', 'mon', []],
])('in %s, %s is marked: %j', (text, query, marks) => {
  const { container } = render(
    <JsonContext value={searched(query)}>
      <Marked text={text} />
    </JsonContext>,
  )
  expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(marks)
  expect(container).toHaveTextContent(text)
})

test('a match deep inside a text is shown', () => {
  const { container } = render(
    <JsonContext value={searched('needle')}>
      <Scalar of={`${'x'.repeat(5000)} needle ${'x'.repeat(5000)}`} />
    </JsonContext>,
  )
  expect(container.querySelector('mark')).toHaveTextContent('needle')
})
