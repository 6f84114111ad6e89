/** Starts the app, or the sandbox alone, and stops it gracefully. */
import closeWithGrace from 'close-with-grace'
import { version } from '../package.json'
import { describe } from './bff/core/problem.ts'
import { runDoctor } from './serve/doctor/doctor.ts'
import { closeServer, listen, socketOf } from './serve/http/listener.ts'
import { readBuiltPage } from './serve/http/static-files.ts'
import { hostsOf, log } from './serve/observe/log.ts'
import { Metrics } from './serve/observe/metrics.ts'
import { openOperations } from './serve/observe/operations.ts'
import { optionsOf } from './serve/sandbox/flags.ts'
import { openSandbox } from './serve/sandbox/sandbox.ts'
import { readSettings } from './serve/settings/settings.ts'
import { DRAIN_MS, openApp, rotate } from './serve/start/app.ts'
import { sandboxBanner } from './serve/start/banner.ts'
import { type Command, HELP, parseCommandLine } from './serve/start/command-line.ts'

/** A stop takes no longer, whatever is running. */
const STOP_MS = 10_000
const PROGRAM = { version, node: process.version }

interface Running {
  banner: string
  close: () => Promise<unknown>
}

async function startApp(): Promise<Running> {
  const page = await readBuiltPage(new URL('.', import.meta.url))
  const metrics = new Metrics()
  const app = await openApp(process.env, { page, metrics })
  const { port, host } = app.settings
  const names = { portSetting: 'PLIMSOLL_PORT', hostSetting: 'PLIMSOLL_HOST' }
  let operations: Awaited<ReturnType<typeof openOperations>> | undefined
  try {
    operations = await openOperations(app.settings, { probe: app.probe, register: metrics.register })
    const [hosts, fd] = [hostsOf(app.settings), socketOf(process.env)]
    const server = await listen(app.fetch, { port, host, ...names, hosts, fd })
    const close = async () => {
      operations?.drain()
      await app.close(closeServer(server, DRAIN_MS))
      await operations?.close()
    }
    return { banner: app.banner, close }
  } catch (error) {
    await Promise.all([operations?.close(), app.close()])
    throw error
  }
}

async function startSandbox(flags: Command['flags']): Promise<Running> {
  const settings = readSettings(process.env)
  const options = optionsOf(flags)
  const sandbox = await openSandbox(settings, { ...options, host: options.host ?? settings.host })
  const { url, controlUrl: control_url, close } = sandbox
  const ready = `${JSON.stringify({ url, control_url })}\n`
  return { banner: flags['ready-json'] ? ready : sandboxBanner(sandbox, settings), close }
}

/** Logs the start, and closes at a signal or an uncaught error. A second one ends the process at once. */
function closeAtTheEnd({ close }: Running): void {
  log({ level: 'info', event: 'start', ...PROGRAM })
  closeWithGrace({ delay: STOP_MS, logger: false }, async ({ err, signal }) => {
    const cause = err ? (err.stack ?? String(err)) : signal
    log({ level: err ? 'error' : 'info', event: 'stop', ...PROGRAM, ...(cause !== undefined && { cause }) })
    try {
      await close()
    } catch (error) {
      log({ level: 'error', event: 'problem', cause: describe(error) })
      throw error
    }
  })
}

async function main(): Promise<void> {
  // The reader of the log may close the pipe; the app goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const { command, flags } = parseCommandLine(process.argv.slice(2))
  if (flags.help) return void process.stdout.write(HELP)
  if (command === 'doctor') {
    process.exitCode = await runDoctor(process.env, (text) => void process.stdout.write(text))
    return
  }
  if (command === 'rotate-secret') return void process.stdout.write(await rotate(process.env))
  const running = await (command === 'sandbox' ? startSandbox(flags) : startApp())
  process.stdout.write(running.banner)
  closeAtTheEnd(running)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
