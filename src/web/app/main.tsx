// What a feature has of its own comes after what all have.
import './tokens.css'
import './base.css'
import './parts.css'
import './forms.css'
import { start } from './start.tsx'

const root = document.querySelector('#root')
if (root) void start(root).catch(globalThis.plimsollFailed)
