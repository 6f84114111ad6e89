// After each test: no secret that went through its fixture is in a log line, an address, a header or an answer of ours.
import { afterEach, expect } from 'vitest'
import { takeFound } from './_canaries.ts'

afterEach(() => {
  expect(takeFound(), 'secrets in logs, addresses or answers (attack 76)').toEqual([])
})
