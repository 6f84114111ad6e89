// The usual design: express-session and http-proxy-middleware. `/sign-in` opens a session.
import { Agent } from 'node:http'
import express from 'express'
import session from 'express-session'
import { createProxyMiddleware } from 'http-proxy-middleware'

const [port, target] = process.argv.slice(2)
const app = express()
app.use(session({ secret: 'a secret of the benchmark', resave: false, saveUninitialized: false }))
app.get('/sign-in', ({ session: opened }, response) => {
  opened.token = 'of-everyone'
  response.status(204).end()
})
app.use(
  '/api',
  createProxyMiddleware({
    target,
    changeOrigin: true,
    agent: new Agent({ keepAlive: true, maxSockets: 128 }),
    on: {
      proxyReq: (outgoing, { session: { token } }) => outgoing.setHeader('Authorization', `Bearer ${token}`),
    },
  }),
)
app.listen(Number(port), '127.0.0.1')
