import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { IdPicture } from '../../../src/web/sign-in/id-picture.tsx'

test('the picture of the address bar has a text for those who do not see it, and the id in it (1.1.1)', () => {
  render(<IdPicture label="An address bar." />)
  expect(screen.getByRole('img', { name: 'An address bar.' })).toHaveTextContent('organization_id=1001')
})
