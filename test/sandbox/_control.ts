/** The control plane of a sandbox, as tools and browsers use it. */
import { BASE, FORM, open, query } from '../kit/sandbox.ts'

export const CONTROL = 'http://127.0.0.1:4001'

export function openControl(options: Parameters<typeof open>[0] = {}) {
  const opened = open(options)
  const { control } = opened.sandbox
  const ask = (path: string, init: RequestInit = {}) => control.fetch(new Request(CONTROL + path, init))
  const json = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    ask(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const page = async (path = '/') => (await ask(path)).text()
  const press = async (
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ) => {
    const csrfToken = /name="csrf_token" value="([^"]+)"/.exec(await page(path))?.[1] ?? ''
    return ask(path, {
      method: 'POST',
      headers: { ...FORM, ...headers },
      body: query({ csrf_token: csrfToken, ...fields }),
    })
  }
  return { ...opened, control, ask, json, page, press }
}

export const stateOf = ({ control }: ReturnType<typeof openControl>) => control.snapshot()

export { BASE }
