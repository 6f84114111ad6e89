// The sandbox's requests a second, in process, with 0, 2,000 and 8,000 tokens stored, and the time of a save.
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))
const outDir = `${root}dist/bench`
const BASE = 'http://127.0.0.1:4000'
const CALLBACK = 'http://localhost:3000/callback'
const CLIENT = { client_id: 'plimsoll', client_secret: 'the-secret' }
const START_MS = Date.UTC(2026, 10, 21)
const ROUNDS = 300

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    outDir,
    target: 'node20',
    copyPublicDir: false,
    rolldownOptions: { input: { sandbox: 'src/sandbox/sandbox.ts', seed: 'src/sandbox/state/seed.ts' } },
  },
})
const load = (name) => import(new URL(`../../dist/bench/${name}.js`, import.meta.url).href)
const { createSandbox } = await load('sandbox')
const { seedFor } = await load('seed')

/** A sandbox with a signed-in client and `tokens` further tokens of other grants. */
async function openSandbox(tokens) {
  const seed = seedFor({
    publicUrl: 'http://localhost:3000',
    clientId: CLIENT.client_id,
    clientSecret: CLIENT.client_secret,
    random: 'bench',
  })
  const sandbox = createSandbox({ seed, now: () => START_MS })
  const send = (path, init) => sandbox.fetch(new Request(BASE + path, init))
  const post = (path, fields, headers = {}) =>
    send(path, { method: 'POST', headers, body: new URLSearchParams(fields) })
  const token = async (fields) => (await post('/oauth2/token', { ...fields, ...CLIENT })).json()

  const signedIn = await post('/projects', { person_id: 'cleo' })
  const cookie = { Cookie: signedIn.headers.get('Set-Cookie').split(';')[0] }
  const request = { redirect_uri: CALLBACK, response_type: 'code', state: 's', organization_id: '2002' }
  const query = new URLSearchParams({ client_id: CLIENT.client_id, ...request })
  const page = await (await send(`/oauth2/login?${query}`, { headers: cookie })).text()
  const [, csrf_token] = /name="csrf_token" value="([^"]+)"/.exec(page)
  const permitted = await post('/oauth2/permission', { csrf_token, answer: 'permit' }, cookie)
  const code = new URL(permitted.headers.get('Location')).searchParams.get('code')
  const first = await token({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK })

  const state = sandbox.snapshot()
  const [grant] = Object.values(state.grants)
  for (let nth = 0; nth < tokens / 2; nth += 1) {
    const grant_id = `grant-${nth - (nth % 4)}`
    state.grants[grant_id] ??= { ...grant }
    state.access_tokens[`access-${nth}`.padEnd(43, 'x')] = { grant_id, issued_at_ms: START_MS }
    state.refresh_tokens[`refresh-${nth}`.padEnd(43, 'x')] = { grant_id, issued_at_ms: START_MS }
  }
  sandbox.control.restore(state)
  return { sandbox, send, token, refreshToken: first.refresh_token }
}

/** Requests a second. Each round is one refresh and one read with the new access token. */
async function requestsPerSecond({ send, token }, refreshToken, rounds) {
  const startMs = performance.now()
  let current = refreshToken
  for (let round = 0; round < rounds; round += 1) {
    const { access_token, refresh_token } = await token({
      grant_type: 'refresh_token',
      refresh_token: current,
    })
    const read = await send('/organizations', { headers: { Authorization: `Bearer ${access_token}` } })
    if (read.status !== 200) throw new Error(`A read answered ${read.status}`)
    current = refresh_token
  }
  return { rate: (2 * rounds * 1000) / (performance.now() - startMs), refreshToken: current }
}

for (const tokens of [0, 2000, 8000]) {
  const opened = await openSandbox(tokens)
  const warm = await requestsPerSecond(opened, opened.refreshToken, 100)
  const { rate } = await requestsPerSecond(opened, warm.refreshToken, ROUNDS)
  const startMs = performance.now()
  const text = JSON.stringify(opened.sandbox.snapshot())
  const saveMs = performance.now() - startMs
  process.stdout.write(
    `${String(tokens).padStart(5)} tokens: ${rate.toFixed(0).padStart(5)} requests/s; ` +
      `a save takes ${saveMs.toFixed(1)} ms and ${(text.length / 1024).toFixed(0)} kB\n`,
  )
}
