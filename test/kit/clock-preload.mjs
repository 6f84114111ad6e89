// Loaded into the app's process first. Moves Date by the milliseconds in the file CLOCK_FILE, or to the 21st
// of the month: in its first and last days a month shows less.
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'

const { CLOCK_FILE: file } = process.env
const DAY_MS = 86_400_000
const MachineDate = globalThis.Date
const toThe21stMs = (21 - new MachineDate().getUTCDate()) * DAY_MS
const now = () => MachineDate.now() + (file === undefined ? toThe21stMs : Number(readFileSync(file, 'utf8')))

globalThis.Date = class extends MachineDate {
  static now = now
  constructor(...given) {
    if (given.length > 0) super(...given)
    else super(now())
  }
}

// Node takes the header from a Date of its own, and pages follow that header.
subscribe('http.server.request.start', ({ response }) => response.setHeader('Date', new Date().toUTCString()))
