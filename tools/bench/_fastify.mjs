// fastify answers a text from memory to known cookies. `/sign-in` opens a session.
import { randomBytes } from 'node:crypto'
import cookie from '@fastify/cookie'
import fastify from 'fastify'

const [port, text] = process.argv.slice(2)
const sessions = new Set()
const app = fastify()
await app.register(cookie)
app.get('/sign-in', async (_, reply) => {
  const name = randomBytes(32).toString('base64url')
  sessions.add(name)
  return reply.setCookie('session', name, { httpOnly: true, path: '/' }).status(204).send()
})
app.get('/api/*', async ({ cookies }, reply) =>
  sessions.has(cookies.session)
    ? reply.type('application/json').send(Buffer.from(text))
    : reply.status(401).send(),
)
await app.listen({ port: Number(port), host: '127.0.0.1' })
