/** For all pages, light and dark. */
import { SETTINGS_STYLE } from './settings-style.ts'

export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f5f8fb;
  --card: #ffffff;
  --ink: #0b2038;
  --muted: #4b5c73;
  --line: #d6dfe9;
  --field: #74859c;
  --accent: #0072b2;
  --accent-strong: #005d93;
  --on-accent: #ffffff;
  --wash: #e9f2f9;
  --low: #a65e00;
  --none: #b3261e;
  --track: #e4ebf2;
  --good: #0a6b4f;
  --notice: #0b2038;
  --radius: 14px;
  --small: 0.8125rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0b1220;
    --card: #111b2c;
    --ink: #e8eef7;
    --muted: #a3b3c9;
    --line: #263650;
    --field: #7086a5;
    --accent: #56b4e9;
    --accent-strong: #83c9f0;
    --on-accent: #07182a;
    --wash: #15253c;
    --low: #e69f00;
    --none: #ff8a5c;
    --track: #22314a;
    --good: #58c9a1;
    --notice: #16263f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100vh;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  text-size-adjust: 100%;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, dl, dd { margin: 0; padding: 0; }
p { text-wrap: pretty; }
h1, h2, h3 { line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; text-wrap: balance; }
h1 { font-size: 1.625rem; }
h2 { font-size: 1.0625rem; }
h3 { font-size: 1rem; }
ul { list-style: none; }
a { color: var(--accent); text-underline-offset: 0.2em; }
a:hover { color: var(--accent-strong); }
code { font: 0.9em ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

.notice {
  padding: 0.5rem 1.25rem;
  border: solid transparent;
  border-width: 0 0 5px;
  border-image: repeating-linear-gradient(-45deg, #56b4e9 0 8px, transparent 8px 16px) 0 0 5;
  background: var(--notice);
  color: #ffffff;
  font-size: 0.875rem;
  text-align: center;
}
header, main { width: min(46rem, 100% - 2.5rem); margin-inline: auto; }
header {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.25rem 1.5rem;
  padding-block: 1rem;
}
header form { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; color: var(--muted); }
.home {
  display: flex;
  align-items: center;
  gap: 0.625rem;
  min-height: 2.75rem;
  color: var(--ink);
  font-size: 1.125rem;
  font-weight: 650;
  letter-spacing: -0.01em;
  text-decoration: none;
}
.home:hover { color: var(--ink); }
.mark { flex: none; width: 1.875rem; height: 1.875rem; }
main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; padding-block: clamp(0.5rem, 4vh, 2rem) 4rem; }
main > section:not(.card) { display: grid; gap: 1rem; }
.card {
  display: grid;
  align-content: start;
  gap: 1rem;
  padding: clamp(1.25rem, 4vw, 1.5rem);
  border: 1px solid var(--line);
  border-radius: var(--radius);
  background: var(--card);
}
.lead { max-width: 36em; font-size: 1.0625rem; }
.quiet, .eyebrow { color: var(--muted); }
.eyebrow { margin-bottom: -1rem; }
.hint { padding: 0.75rem 1rem; border-left: 3px solid var(--accent); border-radius: 0 10px 10px 0; background: var(--wash); }
.hint code { font-weight: 650; }
.capital { display: inline-block; }
.capital::first-letter { text-transform: uppercase; }
.chip {
  padding: 0.05rem 0.6rem;
  border: 1px solid var(--line);
  border-radius: 99px;
  background: var(--wash);
  color: var(--ink);
  font-size: var(--small);
}
.aside { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.facts > div {
  display: grid;
  grid-template-columns: minmax(8rem, 2fr) 3fr;
  gap: 0.1rem 1.5rem;
  padding-block: 0.7rem;
  border-top: 1px solid var(--line);
}
.facts > div:last-child { border-bottom: 1px solid var(--line); }
.facts dt { color: var(--muted); }
.facts dd { font-weight: 550; }
.roster > div { grid-template-columns: minmax(8rem, 1fr) 2fr; }
.roster dt { color: inherit; font-weight: 600; }
.roster dd { color: var(--muted); font-weight: 400; }
.facts .address { font: 0.9rem/1.7 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }

button {
  min-height: 2.75rem;
  padding: 0.5rem 1rem;
  border: 1px solid var(--field);
  border-radius: 10px;
  background: var(--card);
  color: var(--ink);
  font: inherit;
  font-weight: 550;
  text-wrap: balance;
  cursor: pointer;
}
button:hover { border-color: var(--accent); color: var(--accent); }
.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.primary:hover { border-color: var(--accent-strong); background: var(--accent-strong); color: var(--on-accent); }
.link {
  padding-inline: 0;
  border: 0;
  background: none;
  color: var(--accent);
  font-weight: inherit;
  text-decoration: underline;
  text-underline-offset: 0.2em;
}
.answers { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.answers button { flex: 1 1 8rem; }

.people { display: grid; gap: 0.75rem; }
.people button {
  display: grid;
  gap: 0.1rem;
  width: 100%;
  position: relative;
  padding: 1rem 3rem 1rem 1.25rem;
  text-align: left;
}
.people button::after {
  content: '';
  position: absolute;
  top: calc(50% - 0.3rem);
  right: 1.5rem;
  width: 0.6rem;
  height: 0.6rem;
  border: solid var(--accent);
  border-width: 2px 2px 0 0;
  rotate: 45deg;
}
.people strong { font-size: 1.0625rem; font-weight: 650; }
.people span { color: var(--muted); font-weight: 400; }
.projects { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(19rem, 100%), 1fr)); gap: 1rem; }
.projects .card { gap: 0.6rem; padding: 1.25rem 1.4rem; }
.links { display: flex; gap: 1.25rem; padding-top: 0.25rem; }
.count { font-size: 1.125rem; }
.count strong { font-size: 3rem; line-height: 1; letter-spacing: -0.03em; font-weight: 650; }
.bar { display: block; width: 100%; height: 6px; border-radius: 3px; }
.track { fill: var(--track); }
.fill { fill: var(--accent); }

${SETTINGS_STYLE}
@media (max-width: 30rem) {
  .facts > div, .issued .facts > div { grid-template-columns: 1fr; }
  .issued .facts dd { grid-column: 1; }
  .action .button, .action button { width: 100%; }
}
@media (forced-colors: active) {
  .track { fill: Canvas; stroke: CanvasText; }
  .fill { fill: Highlight; }
}
`
