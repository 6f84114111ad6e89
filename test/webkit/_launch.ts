/** Debian's WebKit, the engine of Safari, over WebDriver. It ends after the last test of the file. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { Builder, Capabilities, type WebDriver } from 'selenium-webdriver'
import { endLater } from '../kit/cleanup.ts'
import { freePort } from '../kit/app-process.ts'
import { fontsEnvironment, USUAL_FONTS } from '../kit/fonts.ts'
import { PATIENCE_MS, until } from '../kit/until.ts'
import { findWebKit } from './find.ts'

export async function openWebKit(): Promise<WebDriver> {
  const found = findWebKit()
  if (found === undefined) throw new Error('No WebKit: `apt-get install webkit2gtk-driver xvfb`')
  const opened: (() => unknown)[] = []
  endLater(async () => {
    for (const close of opened.toReversed()) await close()
  })
  const display = await openDisplay(found.display, opened)
  const port = await freePort()
  const driver = spawn(found.driver, ['-p', String(port)], {
    env: {
      ...process.env,
      DISPLAY: display,
      // Without a font no link has a text, and the machine may have none.
      ...fontsEnvironment(USUAL_FONTS),
      GDK_BACKEND: 'x11',
      LIBGL_ALWAYS_SOFTWARE: '1',
      // Its sandbox needs namespaces, which root does not have in a container.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
    stdio: 'ignore',
  })
  opened.push(() => end(driver))
  const url = `http://127.0.0.1:${port}`
  await until(() =>
    fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  const session = await new Builder()
    .usingServer(url)
    .withCapabilities(
      new Capabilities({
        browserName: 'MiniBrowser',
        // nginx has a certificate that nobody has signed.
        acceptInsecureCerts: true,
        timeouts: { pageLoad: PATIENCE_MS },
        'webkitgtk:browserOptions': { binary: found.browser, args: ['--automation'] },
      }),
    )
    .build()
  opened.push(() => session.quit())
  return session
}

/** @returns its name for $DISPLAY */
async function openDisplay(program: string, opened: (() => unknown)[]): Promise<string> {
  const server = spawn(program, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  opened.push(() => end(server))
  const number = await new Promise((resolve) => (server.stdio[3] as Readable).once('data', resolve))
  return `:${String(number).trim()}`
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill()
  await ended
}
