// Packs app and sandbox, installs the sandbox into an empty folder without a network, and uses it there.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { IS_WHOLE } from './_extent.ts'
import { findGo, findPytest } from './_missing.ts'
import { findProgram } from './kit/program.ts'
import { ended } from './kit/sandbox-process.ts'
import { folder } from './kit/temp-folder.ts'

const run = promisify(execFile)
const VERSION = JSON.parse(readFileSync('package.json', 'utf8')).version
const PACKAGES = resolve('dist/packages')
const RECIPES = readFileSync('docs/sandbox.md', 'utf8')

beforeAll(() => void execFileSync(process.execPath, ['tools/pack/main.mjs']))

/** Installs the package into the empty folder of the test. */
beforeEach(async () => {
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  const tarball = join(PACKAGES, `plimsoll-sandbox-${VERSION}.tgz`)
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder })
})

/** Starts the command. @returns the addresses that it prints */
async function started(...flags: string[]): Promise<{ url: string; control_url: string }> {
  const bin = join(folder, 'node_modules/.bin/plimsoll-sandbox')
  const child = spawn(bin, ['--ready-json', ...flags], { cwd: folder })
  ended.push(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  })
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  return JSON.parse(String(line))
}

/** The code block after the heading of a recipe. */
function recipe(heading: string): string {
  const [, code = ''] = new RegExp(`### ${heading}\n[^]*?\`\`\`\\w+\n([^]*?)\`\`\``).exec(RECIPES) ?? []
  expect(code).not.toBe('')
  return code
}

test('the package of the sandbox has no dependency, and exports what its types say (2.1)', async () => {
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    '@plimsoll',
  ])
  writeFileSync(
    join(folder, 'client.ts'),
    `import { createSandbox, seedFor, startSandbox } from '@plimsoll/sandbox'
const running = await startSandbox({ port: 0, choices: { rotation: 'same' } })
const { access_token }: { access_token: string } = await (await fetch(running.controlUrl + '/tokens', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ person: running.seed.people[0]?.id, organization_id: 1001 }),
})).json()
const headers = { Authorization: 'Bearer ' + access_token }
const { status } = await fetch(running.url + '/organizations/1001', { headers })
running.reset()
const later = await fetch(running.url + '/organizations/1001', { headers })
await running.close()
const seed = seedFor({ publicUrl: 'http://localhost:3000', random: 'x' })
const still = createSandbox({ seed, now: Date.now })
const home = await still.fetch(new Request('http://sandbox/'))
console.log(status, later.status, home.status)
`,
  )
  const flags = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node', '--typeRoots']
  await run(
    process.execPath,
    [resolve('node_modules/typescript/bin/tsc'), ...flags, resolve('node_modules/@types'), 'client.ts'],
    { cwd: folder },
  )
  const { stdout } = await run(process.execPath, ['client.js'], { cwd: folder })
  expect(stdout).toBe('200 401 200\n')
  const required = `console.log(Object.keys(require('@plimsoll/sandbox')).toSorted().join(' '))`
  const names = await run(process.execPath, ['--input-type=commonjs', '-e', required], { cwd: folder })
  expect(names.stdout).toBe('createSandbox runCommand seedFor startSandbox\n')
})

test('a script in JavaScript gets a token and reads an organization, without HTML (2.1, 4.4)', async () => {
  writeFileSync(join(folder, 'read.test.mjs'), recipe('vitest').replace("'vitest'", "'node:test'"))
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', 'read.test.mjs'], {
    cwd: folder,
  })
  expect(stdout).toMatch(/# pass 1\n/)
})

const found = (program: string | undefined): string[] => (program === undefined ? [] : [program])

// The run reports what is missing.
test.each(found(findPytest()))(
  'a test in Python reads an organization, and refreshes the token once (2.1, 5.4)',
  async (pytest) => {
    writeFileSync(join(folder, 'test_client.py'), recipe('pytest'))
    const { stdout } = await run(pytest, ['-q'], { cwd: folder })
    expect(stdout).toContain('1 passed')
  },
)

test.each(IS_WHOLE ? found(findGo()) : [])(
  'a script in Go gets a token and reads an organization (2.1, 4.4)',
  async (go) => {
    writeFileSync(join(folder, 'client_test.go'), recipe('Go'))
    writeFileSync(join(folder, 'go.mod'), 'module client\n\ngo 1.19\n')
    const { stdout } = await run(go, ['test', './...'], { cwd: folder })
    expect(stdout).toContain('ok')
  },
)

const JAVASCRIPT = `import { spawn } from 'node:child_process'
import { once } from 'node:events'
const sandbox = spawn('node_modules/.bin/plimsoll-sandbox', ['--port', '0', '--ready-json'])
const { url, control_url } = JSON.parse((await once(sandbox.stdout, 'data'))[0])
const body = JSON.stringify({ person: 'ada', organization_id: 1001 })
const minting = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }
const { access_token } = await (await fetch(control_url + '/tokens', minting)).json()
const headers = { Authorization: 'Bearer ' + access_token }
console.log((await (await fetch(url + '/organizations/1001', { headers })).json()).name)
sandbox.kill()
`
const PYTHON = `import json, subprocess, urllib.request
def ask(url, body=None, headers={}):
    request = urllib.request.Request(url, body, {"Content-Type": "application/json", **headers})
    return json.load(urllib.request.urlopen(request))
command = ["node_modules/.bin/plimsoll-sandbox", "--port", "0", "--ready-json"]
sandbox = subprocess.Popen(command, stdout=subprocess.PIPE)
at = json.loads(sandbox.stdout.readline())
tokens = ask(at["control_url"] + "/tokens", b'{"person": "ada", "organization_id": 1001}')
print(ask(at["url"] + "/organizations/1001", None, {"Authorization": "Bearer " + tokens["access_token"]})["name"])
sandbox.terminate()
`
const GO = `package main
import ("encoding/json"; "fmt"; "net/http"; "os/exec"; "strings")
func main() {
	at, tokens, own := map[string]string{}, map[string]any{}, map[string]any{}
	sandbox := exec.Command("node_modules/.bin/plimsoll-sandbox", "--port", "0", "--ready-json")
	output, _ := sandbox.StdoutPipe(); sandbox.Start(); defer sandbox.Process.Kill()
	json.NewDecoder(output).Decode(&at)
	body := strings.NewReader(\`{"person": "ada", "organization_id": 1001}\`)
	minted, _ := http.Post(at["control_url"]+"/tokens", "application/json", body)
	json.NewDecoder(minted.Body).Decode(&tokens)
	request, _ := http.NewRequest("GET", at["url"]+"/organizations/1001", nil)
	request.Header.Set("Authorization", fmt.Sprint("Bearer ", tokens["access_token"]))
	answer, _ := http.DefaultClient.Do(request)
	json.NewDecoder(answer.Body).Decode(&own); fmt.Println(own["name"])
}
`
const SCRIPTS = [
  { name: 'own.mjs', text: JAVASCRIPT, command: [process.execPath] },
  ...found(findProgram(['python3'])).map((python) => ({ name: 'own.py', text: PYTHON, command: [python] })),
  ...(IS_WHOLE ? found(findGo()) : []).map((go) => ({ name: 'own.go', text: GO, command: [go, 'run'] })),
]
test.each(SCRIPTS)(
  'ten lines, $name, get a token and read an organization from the command (2.1, 4.4)',
  async ({ name, text, command: [program = '', ...flags] }) => {
    writeFileSync(join(folder, name), text)
    const { stdout } = await run(program, [...flags, name], { cwd: folder })
    expect(stdout).toBe('Harbour Rope Works\n')
  },
)

test('a shell with curl gets a token and reads an organization (2.1, 4.4)', async () => {
  const { url, control_url } = await started()
  const { stdout } = await run('sh', ['-ec', recipe('curl')], {
    env: { ...process.env, URL: url, CONTROL_URL: control_url },
  })
  expect(stdout).toContain('Harbour Rope Works')
  expect(stdout).toContain('{"differences":[]}')
})

test('the command opens to others by the names that it is told, and prints an address that works', async () => {
  const [, command = ''] = /command: \S+ (.*)/.exec(recipe('compose')) ?? []
  const { url } = await started(...command.replace('4000', '0').split(' '))
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/)
  const statusFor = (host: string) =>
    run('curl', ['-so', '/dev/null', '-w', '%{http_code}', '-H', `Host: ${host}`, `${url}/healthz`])
  expect((await statusFor('sandbox:4000')).stdout).toBe('200')
  expect((await statusFor('evil.example')).stdout).toBe('421')
})

test('the command refuses an address that others can reach in one sentence (check 68)', async () => {
  const bin = join(folder, 'node_modules/.bin/plimsoll-sandbox')
  await expect(run(bin, ['--host', '0.0.0.0'], { cwd: folder })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^--host is an address [^\n]* --any-address\.\n$/),
  })
})

test('the package of the app has what is built, and its command starts the sandbox (2.1)', async () => {
  await run('tar', ['-xzf', join(PACKAGES, `plimsoll-${VERSION}.tgz`)], { cwd: folder })
  const root = join(folder, 'package')
  expect(readdirSync(root).toSorted()).toEqual(
    ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'package.json', 'tools'].toSorted(),
  )
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  const child = spawn(process.execPath, ['tools/plimsoll.mjs', 'sandbox', '--port', '0', '--ready-json'], {
    cwd: root,
    env: { PATH: process.env['PATH'], PLIMSOLL_STORE: 'sqlite::memory:' },
  })
  ended.push(() => child.kill('SIGTERM'))
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  expect((await fetch(`${JSON.parse(String(line)).url}/healthz`)).status).toBe(200)
})
