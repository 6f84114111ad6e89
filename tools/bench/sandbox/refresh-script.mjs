import { writeFileSync } from 'node:fs'
import { CLIENT } from './service.mjs'

/** @param tokens refresh tokens, at least one for each connection */
export function writeRefreshScript(file, tokens) {
  const fields = new URLSearchParams({ grant_type: 'refresh_token', ...CLIENT, refresh_token: '' })
  writeFileSync(
    file,
    `local tokens = {${tokens.map((token) => JSON.stringify(token)).join(',')}}
local first, last = 1, #tokens
local headers = {["Content-Type"] = "application/x-www-form-urlencoded"}
function request()
  local token = tokens[first]
  tokens[first] = nil
  first = first + 1
  return wrk.format("POST", "/oauth2/token", headers, ${JSON.stringify(String(fields))} .. token)
end
function response(_, _, body)
  last = last + 1
  tokens[last] = string.match(body, '"refresh_token":"([^"]+)"')
end
`,
  )
  return file
}
