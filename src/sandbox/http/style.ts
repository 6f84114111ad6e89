/** The stylesheet of all pages, in light and dark. */
import { SETTINGS_STYLE } from './settings-style.ts'

export const STYLE = `
:root {
  color-scheme: light dark;
  --ink: #0b2545;
  --quiet: #4a5d78;
  --page: #f3f6fa;
  --card: #ffffff;
  --line: #d8e0ea;
  --accent: #0072b2;
  --on-accent: #ffffff;
  --wash: #e6f1f8;
  --notice: #0b2545;
  --edge: #6b7f9c;
  --good: #0a6b4f;
  --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e8eef7;
    --quiet: #a8b7cc;
    --page: #081525;
    --card: #0f2038;
    --line: #24395a;
    --accent: #56b4e9;
    --on-accent: #06182b;
    --wash: #143154;
    --notice: #12294a;
    --edge: #7288a8;
    --good: #58c9a1;
    --bad: #ff9d8f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100vh;
  background: var(--page);
  color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, dl, dd { margin: 0; padding: 0; }
p { text-wrap: pretty; }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.015em; text-wrap: balance; }
h2 { font-size: 1.0625rem; line-height: 1.3; }
h3 { font-size: 1.0625rem; line-height: 1.3; }
ul { list-style: none; }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
code { font: 0.9em ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

.notice {
  padding: 0.5rem 1.25rem 0.8rem;
  background: repeating-linear-gradient(-45deg, #56b4e9 0 8px, #0b2545 8px 16px) bottom / 100% 5px no-repeat var(--notice);
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
  gap: 0.5rem 1.5rem;
  padding-block: 1.25rem;
}
header form { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; color: var(--quiet); }
.home {
  display: flex;
  align-items: center;
  gap: 0.6rem;
  min-height: 2.75rem;
  color: var(--ink);
  font-weight: 650;
  text-decoration: none;
}
.mark { width: 1.9rem; height: 1.9rem; color: var(--accent); }
main { display: grid; gap: 1.5rem; padding-block: clamp(1rem, 5vh, 3rem) 4rem; }
main > section:not(.card) { display: grid; gap: 1rem; }
.card {
  display: grid;
  align-content: start;
  gap: 1rem;
  padding: clamp(1.25rem, 4vw, 2rem);
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--card);
  box-shadow: 0 1px 2px rgb(11 37 69 / 4%), 0 8px 24px -16px rgb(11 37 69 / 20%);
}
.lead { max-width: 36em; font-size: 1.0625rem; }
.quiet, .eyebrow { color: var(--quiet); }
.eyebrow { margin-bottom: -1.25rem; }
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
  font-size: 0.8125rem;
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
.facts dt { color: var(--quiet); }
.facts dd { font-weight: 550; }
.roster > div { grid-template-columns: minmax(8rem, 1fr) 2fr; }
.roster dt { color: inherit; font-weight: 600; }
.roster dd { color: var(--quiet); font-weight: 400; }
.facts .address { font: 0.9rem/1.7 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }

button {
  min-height: 2.75rem;
  padding: 0.6rem 1.4rem;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--card);
  color: var(--ink);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
button:hover { border-color: var(--accent); }
.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.primary:hover { border-color: var(--ink); }
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
.people span { color: var(--quiet); font-weight: 400; }
.projects { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(19rem, 100%), 1fr)); gap: 1rem; }
.projects .card { gap: 0.6rem; padding: 1.25rem 1.4rem; }
.links { display: flex; gap: 1.25rem; padding-top: 0.25rem; }
.count { font-size: 1.125rem; }
.count strong { font-size: 3rem; line-height: 1; letter-spacing: -0.03em; }
.bar { display: block; width: 100%; height: 6px; border-radius: 3px; }
.track { fill: var(--line); }
.fill { fill: var(--accent); }

${SETTINGS_STYLE}
@media (max-width: 30rem) {
  h1 { font-size: 1.5rem; }
  .facts > div, .issued .facts > div { grid-template-columns: 1fr; }
  .issued .facts dd { grid-column: 1; }
  .action .button, .action button { width: 100%; }
}
@media (forced-colors: active) {
  .track { fill: Canvas; stroke: CanvasText; }
  .fill { fill: Highlight; }
}
`
