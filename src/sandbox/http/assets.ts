/** The files that the service and its control plane both serve. The log and the limits leave them out. */
import { type Handler, write, writeJson } from './handler.ts'
import { markFile } from './page.tsx'
import STYLE from './style.css?raw'

export const ASSETS: Record<string, Handler> = {
  '/style.css': (c) => write(c, 200, STYLE, { 'Content-Type': 'text/css; charset=utf-8' }),
  '/mark.svg': async (c) => write(c, 200, await markFile(), { 'Content-Type': 'image/svg+xml' }),
  '/healthz': (c) => writeJson(c, { status: 'ok' }),
}
