// The shared styles come first, so that the styles of a feature override them.
import './tokens.css'
import './base.css'
import './parts.css'
import './forms.css'
import { start } from './start.tsx'

const root = document.querySelector('#root')
if (root) void start(root).catch(globalThis.plimsollFailed)
