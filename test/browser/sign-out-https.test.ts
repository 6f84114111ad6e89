// A sign-out at an https address, beside other applications of the same domain.
import { createServer } from 'node:https'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { IS_FIREFOX } from '../kit/browser.ts'
import { selfSigned } from '../kit/certificate.ts'
import { endLater, openApp, openBrowser } from '../kit/cleanup.ts'
import { freePort } from '../kit/app-process.ts'
import { isLive, press, signInByKey, signOut } from '../kit/page.ts'

const HOST = 'plimsoll.corp.localhost'

/** Serves the app at a port over https, as a proxy does. */
async function openProxy(port: number, appUrl: string): Promise<void> {
  const { port: appPort } = new URL(appUrl)
  const server = createServer(selfSigned(HOST, Date.now() + 86_400_000), (asked, reply) => {
    const { method, url: path, headers } = asked
    const passedOn = request({ port: appPort, host: '127.0.0.1', method, path, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(reply)
    })
    passedOn.on('error', () => reply.destroy())
    asked.pipe(passedOn)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  endLater(() => server.closeAllConnections())
  endLater(() => server.close())
}

// Names below localhost are this machine in Chromium alone.
test.skipIf(IS_FIREFOX)(
  'a sign-out at https leaves other apps and links alone (Clear-Site-Data)',
  async () => {
    const port = await freePort()
    const url = `https://${HOST}:${port}`
    const app = await openApp({ PLIMSOLL_PUBLIC_URL: url, PLIMSOLL_TRUST_PROXY: '1' })
    await openProxy(port, app.url)
    const context = await (await openBrowser()).newContext({ ignoreHTTPSErrors: true, locale: 'en-GB' })
    await context.addCookies([
      { name: 'mail', value: 'of another host', url: 'https://mail.corp.localhost' },
      { name: 'portal', value: 'of the domain', domain: '.corp.localhost', path: '/', secure: true },
    ])
    const page = await context.newPage()
    await page.goto(url)
    await signInByKey(page, (await app.sandboxState()).api_keys[0]?.value ?? '')
    await page.goto(`${url}/links`)
    await page.getByLabel('Name of the link').fill('Wall')
    await press(page, 'Make a link')
    const wall = await context.newPage()
    await wall.goto(await page.getByLabel('For a display on a wall').inputValue())
    await isLive(wall)
    await signOut(page)
    await page.getByLabel(/organization id/i).waitFor()
    const names = (await context.cookies()).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['mail', 'portal']))
    expect(names.filter((name) => /^__Host-Http-plimsoll(-of|-browser)?/.test(name))).toEqual([])
    await wall.reload()
    await isLive(wall)
  },
)
