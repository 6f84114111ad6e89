/** The Lua scripts of notes. */
import { LEASE } from './leases.ts'
import { FORMAT, script } from './lua.ts'

/** A note is its format, a space, and its JSON, so that whether it was changed is one comparison. */
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

  // A[2] is what it has to be still, and A[3] what it becomes; empty where there is none. A[5] and A[6] are a lease to be given back, or absent.
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
