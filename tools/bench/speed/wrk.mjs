// Load from wrk, on the core of the load. Each request has its own cookie, in turn.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { LOAD } from './process.mjs'

const run = promisify(execFile)
const MILLISECONDS = { us: 0.001, ms: 1, s: 1000, m: 60_000 }

/** Writes the script of a load: each request has the headers of the next one of `requests`. */
export function writeScript(file, requests) {
  const rows = requests.map(
    ({ path, headers }) =>
      `wrk.format("GET", ${JSON.stringify(path)}, {${Object.entries(headers)
        .map(([name, value]) => `[${JSON.stringify(name)}]=${JSON.stringify(value)}`)
        .join(',')}})`,
  )
  // In parts, because a table constructor in Lua takes at most 65,536 constants.
  const parts = []
  for (let at = 0; at < rows.length; at += 500)
    parts.push(
      `do local rows = {${rows.slice(at, at + 500).join(',')}} for _, row in ipairs(rows) do all[#all + 1] = row end end`,
    )
  const functions = parts.map((part, nth) => `local function part${nth}() ${part} end`)
  // A chunk of Lua has at most 200 local names.
  writeFileSync(
    file,
    `local all, nth = {}, 0
local parts = {}
${functions.map((text, at) => `parts[${at + 1}] = ${text.replace(`local function part${at}()`, 'function()')}`).join('\n')}
function init() for _, part in ipairs(parts) do part() end end
function request() nth = nth % #all + 1 return all[nth] end
`,
  )
  return file
}

/** @returns requests a second, ms of the quantiles, and the answers with and without a 2xx status */
export async function load(url, { script, connections, seconds }) {
  const command = `-c ${LOAD} wrk -t1 -c${connections} -d${seconds}s --latency --timeout 10s -s`.split(' ')
  const { stdout } = await run('taskset', [...command, script, url])
  const quantile = (name) => {
    const [, value, unit] = new RegExp(`^\\s+${name}%\\s+([\\d.]+)(us|ms|s|m) *$`, 'm').exec(stdout) ?? []
    return Number(value) * MILLISECONDS[unit]
  }
  const number = (pattern) => Number(pattern.exec(stdout)?.[1] ?? 0)
  const socketErrors = /Socket errors: (.*)$/m.exec(stdout)?.[1]
  if (socketErrors !== undefined) throw new Error(`${url}: ${socketErrors}`)
  return {
    rate: number(/^Requests\/sec:\s+([\d.]+)/m),
    p50Ms: quantile(50),
    p99Ms: quantile(99),
    answered: number(/^\s+(\d+) requests in/m),
    failed: number(/Non-2xx or 3xx responses: (\d+)/),
  }
}
