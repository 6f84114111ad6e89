import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Marked, Scalar } from '../../../../src/web/record/tree/scalar.tsx'
import { QueryWords } from '../../../../src/web/record/tree/query-words.ts'
import { Digits } from '../../../../src/web/record/json-text.ts'

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

test('a list of words is chips, a hundred at a time', () => {
  const { container } = render(<Scalar of={['rope', 7, ...Array.from({ length: 150 }, () => 'x')]} />)
  const chips = () => [...container.querySelectorAll('bdi')].map((chip) => chip.textContent)
  expect(chips().slice(0, 3)).toEqual(['rope', '7', 'x'])
  expect(chips()).toHaveLength(100)
  fireEvent.click(screen.getByRole('button', { name: 'Show 52 more (100 of 152 shown)' }))
  expect(chips()).toHaveLength(152)
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
    <QueryWords value={query}>
      <Marked text={text} />
    </QueryWords>,
  )
  expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(marks)
  expect(container).toHaveTextContent(text)
})

test('a match deep inside a text is shown', () => {
  const { container } = render(
    <QueryWords value="needle">
      <Scalar of={`${'x'.repeat(5000)} needle ${'x'.repeat(5000)}`} />
    </QueryWords>,
  )
  expect(container.querySelector('mark')).toHaveTextContent('needle')
})
