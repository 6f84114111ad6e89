import { start } from './start.tsx'
import './tokens.css'
import './base.css'
import './parts.css'
import './forms.css'

const root = document.querySelector('#root')
if (root) void start(root).catch(globalThis.plimsollFailed)
