// The least that Node can do: reads each body and answers the same bytes.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port, file] = process.argv.slice(2)
const { status, headers, body } = JSON.parse(readFileSync(file, 'utf8'))
const server = createServer((request, response) => {
  const answer = () => response.writeHead(status, headers).end(body)
  response.sendDate = false
  if (request.method === 'GET') answer()
  else request.resume().on('end', answer)
})
server.listen(Number(port), '127.0.0.1')
