// The only place that joins bff and sandbox to the development server.
import { getRequestListener } from '@hono/node-server'
import type { Plugin } from 'vite'

interface App {
  fetch: (request: Request, connection: { address?: string }) => Promise<Response>
  close: () => Promise<void>
  banner: string
}

const OF_THE_SERVER = /^\/(?:bff|api|watch\/(?:session|quota|days|events))(?:[/?]|$)/

/** Answers what is no page from src/serve/start/app.ts; a change of a server file opens it again. */
export function appInDev(): Plugin {
  let close = async (): Promise<void> => {}
  return {
    name: 'plimsoll:app',
    apply: (_, { command, isPreview }) => command === 'serve' && !isPreview && !process.env.VITEST,
    configureServer(server) {
      const open = async (): Promise<App> => {
        server.moduleGraph.invalidateAll()
        const { openApp } = await server.ssrLoadModule('/src/serve/start/app.ts')
        return openApp(process.env) as Promise<App>
      }
      let app = open()
      const print = () =>
        app.then(
          (opened) => server.config.logger.info(opened.banner),
          (error: Error) => server.config.logger.error(error.message),
        )
      void print()
      close = () =>
        app.then(
          (opened) => opened.close(),
          () => {},
        )
      server.watcher.on('all', (_, file) => {
        if (!/\/src\/(serve|bff|store|sandbox|contract)\//.test(file.replaceAll('\\', '/'))) return
        app = close().then(open)
        void print()
      })
      server.middlewares.use((request, response, next) => {
        if (!OF_THE_SERVER.test(request.url ?? '')) return next()
        app
          .then((opened) => {
            const { remoteAddress: address } = request.socket
            const fetch = (asked: Request) =>
              opened.fetch(asked, { ...(address !== undefined && { address }) })
            return getRequestListener(fetch, { overrideGlobalObjects: false })(request, response)
          })
          .catch(next)
      })
    },
    buildEnd: () => close(),
  }
}
