import { LEASE } from './leases.ts'
import { FORMAT, script } from './lua.ts'

/** A note is its format, a space, and its JSON: one comparison shows whether it has changed. */
export const NOTE = `
local function readNote(name)
  local note = redis.call('GET', P .. 'note:' .. name)
  if note then checkFormat(string.match(note, '^%d+')) end
  return note
end
local function changedNote(name)
  local kind = string.match(name, '^%a+ ')
  if kind == 'organization ' or kind == 'token ' or kind == 'service ' then changed(name) end
end
`
export const NOTE_FORMAT = `${FORMAT} `

export const NOTE_SCRIPTS = {
  readNote: script(NOTE, `return finish(readNote(A[1]))`),

  readNotes: script(
    NOTE,
    `
local notes = {}
for nth, name in ipairs(A) do notes[nth] = readNote(name) end
return finish(notes)`,
  ),

  // A[2] is the expected text, A[3] the new one; empty: no note. A[5] and A[6] name a lease to release.
  changeNote: script(
    NOTE,
    LEASE,
    `
local note = readNote(A[1])
if (note or '') ~= A[2] then return finish({ 0, note }) end
if A[3] ~= '' then
  redis.call('SET', P .. 'note:' .. A[1], A[3])
  lapse('note', A[1], A[4])
  changedNote(A[1])
elseif forget('note', A[1]) then
  changedNote(A[1])
end
if A[5] then releaseLease(A[5], A[6]) end
return finish({ 1, false })`,
  ),
}
