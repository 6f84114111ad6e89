#!/usr/bin/env node
// Starts $FIREFOX for playwright, passes on their messages, and answers those that it does not know.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket, WebSocketServer } from 'ws'
import { Session } from './session.mjs'

const MOST_BYTES = 512 * 1024 * 1024
const LISTENING = /WebDriver BiDi listening on (ws:\/\/\S+)/

const args = process.argv.slice(2)
const folder = args[args.indexOf('--profile') + 1]
// Keys go only to the page: with toolbars Tab would leave it and never come back.
mkdirSync(join(folder, 'chrome'), { recursive: true })
writeFileSync(join(folder, 'chrome/userChrome.css'), '#navigator-toolbox { display: none }')

const firefox = spawn(process.env.FIREFOX, args, { stdio: ['ignore', 'ignore', 'pipe'] })
firefox.once('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => firefox.kill('SIGKILL'))
firefox.stderr.setEncoding('utf8').on('data', (text) => {
  const [, address] = LISTENING.exec(text) ?? []
  if (address === undefined) process.stderr.write(text)
  else open(address)
})

const textOf = (data) => Buffer.from(data).toString()

function open(address) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: MOST_BYTES })
  server.once('listening', () =>
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}\n`),
  )
  server.once('connection', (playwright) => {
    const socket = new WebSocket(`${address}/session`, { maxPayload: MOST_BYTES })
    const early = []
    const session = new Session(
      (text) => socket.send(text),
      (text) => playwright.send(text),
    )
    playwright.on('message', (data) => {
      const text = textOf(data)
      if (socket.readyState === WebSocket.OPEN) session.fromPlaywright(text)
      else early.push(text)
    })
    socket.once('open', () => early.splice(0).forEach((text) => session.fromPlaywright(text)))
    socket.on('message', (data) => session.fromFirefox(textOf(data)))
    socket.once('close', () => playwright.close())
    // Also if the tests were killed.
    playwright.once('close', () => firefox.kill())
  })
}
