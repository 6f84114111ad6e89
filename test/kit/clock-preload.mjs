// Loaded into the app's process first. Moves Date by the milliseconds in the file SCREENS_CLOCK.
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'

const { SCREENS_CLOCK: file = '' } = process.env
const MachineDate = globalThis.Date
const now = () => MachineDate.now() + Number(readFileSync(file, 'utf8'))

globalThis.Date = class extends MachineDate {
  static now = now
  constructor(...given) {
    if (given.length > 0) super(...given)
    else super(now())
  }
}

// Node takes the header from a Date of its own, and pages follow that header.
subscribe('http.server.request.start', ({ response }) => response.setHeader('Date', new Date().toUTCString()))
