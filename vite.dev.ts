// The only place that joins the house (bff and sandbox) to the development server.
import { getRequestListener } from '@hono/node-server'
import type { Plugin } from 'vite'

interface House {
  fetch: (request: Request) => Promise<Response>
  close: () => Promise<void>
  greeting: () => string
}

/** Answers /bff and /api from src/serve.ts, and opens it anew when a file of the server changes. */
export function houseInDev(): Plugin {
  let close = async (): Promise<void> => {}
  return {
    name: 'plimsoll:house',
    apply: (_, { command, isPreview }) => command === 'serve' && !isPreview && !process.env.VITEST,
    configureServer(server) {
      const open = async (): Promise<House> => {
        server.moduleGraph.invalidateAll()
        const serve = await server.ssrLoadModule('/src/serve.ts')
        return serve.openHouse(process.env) as Promise<House>
      }
      let house = open()
      const say = () =>
        house.then(
          (opened) => server.config.logger.info(opened.greeting()),
          (fault: Error) => server.config.logger.error(fault.message),
        )
      void say()
      close = () =>
        house.then(
          (opened) => opened.close(),
          () => {},
        )
      server.watcher.on('all', (_, file) => {
        if (!/\/src\/(serve\.ts$|(bff|store|sandbox|contract)\/)/.test(file.replaceAll('\\', '/'))) return
        house = close().then(open)
        void say()
      })
      server.middlewares.use((request, response, next) => {
        if (!/^\/(bff|api)([/?]|$)/.test(request.url ?? '')) return next()
        house
          .then((opened) =>
            getRequestListener(opened.fetch, { overrideGlobalObjects: false })(request, response),
          )
          .catch(next)
      })
    },
    buildEnd: () => close(),
  }
}
