import { expect, test } from 'vitest'
import { isErrorBody } from '../../src/contract/error-body.ts'

test.each([
  ['{"error":"monthly_limit_exceeded","error_description":"Over."}', true],
  ['{"error":"over","error_uri":"https://tasks.example/over"}', true],
  ['{"title":"Over","detail":"Over.","instance":"/organizations/1"}', true],
  ['{"message":"Over."}', true],
  ['{"code":"over","message":"Over."}', true],
  ['{"errors":[{"code":"over"}]}', true],
  ['{"type":"about:blank","title":"Over","status":403,"detail":"Over."}', true],
  ...['error_description', 'error_uri', 'code', 'status', 'type', 'title', 'instance'].map(
    (name): [string, boolean] => [JSON.stringify({ error: 'over', [name]: 'x' }), true],
  ),
  ['<h1>We are at work here</h1>', true],
  ['', true],
  ['{"id":1,"name":"Harbour Rope Works"}', false],
  ['{"error":"none","id":1}', false],
  ['{"code":"HRW","title":"Harbour Rope Works"}', false],
  ['{}', false],
  ['[]', false],
  ['[{"error":"x"}]', false],
  ['null', false],
])('%s is an error: %s (4.4, 7)', (text, isError) => {
  expect(isErrorBody(text)).toBe(isError)
})
