/** Starts the app, or the sandbox alone, and stops it with grace. */
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import { openApp, settingsOf } from './serve/app.ts'
import { sandboxBanner } from './serve/banner.ts'
import { HELP, parseCommandLine } from './serve/command-line.ts'
import { closeServer, listen } from './serve/listener.ts'
import { log } from './serve/log.ts'
import { openSandbox } from './serve/sandbox.ts'
import { assertSandboxAddress } from './serve/sandbox-address.ts'
import { readStaticFiles } from './serve/static-files.ts'

interface Running {
  banner: string
  close: () => Promise<void>
}

async function startApp(): Promise<Running> {
  const app = await openApp(process.env, readStaticFiles(fileURLToPath(new URL('../web', import.meta.url))))
  const { port, host } = app.settings
  const at = { port, host, portSetting: 'PLIMSOLL_PORT', hostSetting: 'PLIMSOLL_HOST' }
  try {
    const server = await listen(app.fetch, at)
    const close = async () => {
      await closeServer(server)
      await app.close()
    }
    return { banner: app.banner, close }
  } catch (error) {
    await app.close()
    throw error
  }
}

async function startSandbox(isAnyAddressAllowed: boolean): Promise<Running> {
  const settings = settingsOf(process.env)
  assertSandboxAddress(settings.host, isAnyAddressAllowed)
  const sandbox = await openSandbox(settings, settings.host)
  return { banner: sandboxBanner(sandbox), close: sandbox.close }
}

async function main(): Promise<void> {
  // The reader of the log may close the pipe; the app goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const { isSandboxOnly, isAnyAddressAllowed, isHelp } = parseCommandLine(process.argv.slice(2))
  if (isHelp) return void process.stdout.write(HELP)
  const { banner, close } = isSandboxOnly ? await startSandbox(isAnyAddressAllowed) : await startApp()
  process.stdout.write(banner)
  closeWithGrace({ delay: 5000, logger: false }, async ({ err }) => {
    if (err) log({ level: 'error', event: 'stop', cause: err.stack ?? String(err) })
    await close()
  })
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
