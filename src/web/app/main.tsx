import { start } from './start.tsx'
import './tokens.css'

const root = document.querySelector('#root')
if (root) void start(root).catch(globalThis.plimsollFailed)
