import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Sentence } from '../../../src/web/text/sentence.tsx'

test.each<[(wait: string) => string, string]>([
  [(wait) => `Possible in ${wait}.`, 'Possible in 5 s.'],
  [(wait) => `${wait}後に使えます。`, '5 s後に使えます。'],
])('an element stands where the text has its value: %s', (of, words) => {
  render(
    <p>
      <Sentence of={of}>
        <b>5 s</b>
      </Sentence>
    </p>,
  )
  expect(screen.getByText('5 s').tagName).toBe('B')
  expect(screen.getByText('5 s').parentElement).toHaveTextContent(words)
})
