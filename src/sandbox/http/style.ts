/** One stylesheet for all pages, light and dark. Nearly all rules are for elements, so pages need few classes. */
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
body { margin: 0; min-height: 100vh; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; text-size-adjust: 100%; }
body > aside { padding: 0.5rem 1.25rem; border: solid transparent; border-width: 0 0 5px; border-image: repeating-linear-gradient(-45deg, #56b4e9 0 8px, transparent 8px 16px) 0 0 5; background: var(--notice); color: #ffffff; font-size: 0.875rem; text-align: center; }
body > header, main { width: min(46rem, 100% - 2.5rem); margin-inline: auto; }
body > header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.25rem 1.5rem; padding-block: 1rem; }
body > header > a { display: flex; align-items: center; gap: 0.625rem; min-height: 2.75rem; color: var(--ink); font-size: 1.125rem; font-weight: 650; text-decoration: none; }
body > header svg { flex: none; width: 1.875rem; }
body > header form { display: flex; align-items: center; gap: 0.75rem; color: var(--muted); }
main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; padding-block: clamp(0.5rem, 4vh, 2rem) 4rem; }
section, main > details, .cards > li { display: grid; grid-template-columns: minmax(0, 1fr); align-content: start; gap: 1rem; padding: clamp(1.25rem, 4vw, 1.5rem); border: 1px solid var(--line); border-radius: 14px; background: var(--card); }
section > h2 { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; }
h1, h2, h3, p, ul, ol, dl, dd, fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
h1, h2, h3 { line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; text-wrap: balance; }
h1 { font-size: 1.625rem; }
h2 { font-size: 1.125rem; }
h3 { font-size: 1rem; }
p { text-wrap: pretty; }
ul, ol { list-style: none; }
a { color: var(--accent); text-underline-offset: 0.2em; }
a:hover { color: var(--accent-strong); }
code { font: 0.9em ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
small, .quiet { color: var(--muted); font-weight: 400; }
mark { padding: 0.05rem 0.6rem; border: 1px solid var(--line); border-radius: 99px; background: var(--wash); color: var(--ink); font-size: 0.8125rem; font-weight: 400; }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }
nav [aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
dl > div { display: grid; grid-template-columns: minmax(8rem, 1fr) 2fr; gap: 0.1rem 1.5rem; padding-block: 0.7rem; border-top: 1px solid var(--line); }
dl > div:last-child { border-bottom: 1px solid var(--line); }
dt { color: var(--muted); }
dd { font-weight: 550; }
dd code { user-select: all; }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: 0.5rem 1rem; border: 1px solid var(--field); border-radius: 10px; background: var(--card); color: var(--ink); font: inherit; font-weight: 550; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { border-color: var(--accent); color: var(--accent); }
.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.primary:hover { border-color: var(--accent-strong); background: var(--accent-strong); color: var(--on-accent); }
.danger { border-color: var(--none); color: var(--none); }
button:disabled, button:disabled:hover { border: 1px dashed var(--field); background: none; color: var(--muted); cursor: not-allowed; }
.link { padding-inline: 0; border: 0; background: none; color: var(--accent); font-weight: inherit; text-decoration: underline; }
label { display: grid; gap: 0.25rem; font-weight: 600; }
input, textarea, select { min-height: 2.75rem; max-width: 100%; padding: 0.5rem 0.8rem; border: 1px solid var(--field); border-radius: 10px; background: var(--card); color: var(--ink); font: inherit; font-weight: 400; }
label > :is(input, textarea, select) { width: 100%; }
input[type='checkbox'] { flex: none; width: 1.35rem; min-height: 1.35rem; margin: 0.1rem 0 0; accent-color: var(--accent); }
label:has([type='checkbox']) { display: flex; gap: 0.75rem; }
[aria-invalid='true'] { border: 2px solid var(--none); }
[role='alert'], .error { color: var(--none); font-weight: 600; }
[role='alert'] { padding: 1rem 1.25rem; border: 2px solid var(--none); border-radius: 10px; }
output { display: block; padding: 0.75rem 1rem; border: 1px solid var(--good); border-radius: 10px; background: var(--card); }
.hint { padding: 0.75rem 1rem; border-left: 3px solid var(--accent); border-radius: 0 10px 10px 0; background: var(--wash); }
summary { cursor: pointer; font-weight: 600; }
details[open] > summary { margin-bottom: 0.75rem; }
details > form { display: grid; gap: 1rem; justify-items: start; }
progress { width: 100%; height: 6px; border: 0; border-radius: 3px; overflow: hidden; appearance: none; background: var(--track); }
progress::-webkit-progress-bar { background: var(--track); }
progress::-webkit-progress-value { background: var(--accent); }
progress::-moz-progress-bar { background: var(--accent); }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; }
th { color: var(--muted); font-weight: 550; text-align: left; white-space: nowrap; }
th, td { padding: 0.5rem 1rem 0.5rem 0; border-top: 1px solid var(--line); vertical-align: top; }
td small { display: block; }

.form { display: grid; gap: 1.25rem; }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem; }
.row.end { align-items: end; }
.spread { justify-content: space-between; }
.capital::first-letter { text-transform: uppercase; }
.capital { display: inline-block; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(19rem, 100%), 1fr)); gap: 1rem; }
.people { display: grid; gap: 0.75rem; }
.people button { display: grid; justify-content: start; gap: 0.1rem; width: 100%; padding: 1rem 1.25rem; text-align: left; }
.count strong { font-size: 3rem; line-height: 1; letter-spacing: -0.03em; font-weight: 650; }
.wide main, main.wide, body:has(main > .wide) > :is(header, main) { width: min(72rem, 100% - 2.5rem); }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); align-items: start; gap: 1.25rem; }
.columns > * { display: grid; gap: 1.25rem; }
.digits { font-size: 2.75rem; font-weight: 650; line-height: 1.1; letter-spacing: -0.02em; }
.values button { min-height: 2.25rem; font-weight: 400; text-align: left; }
.values [aria-pressed='true'] { border-color: var(--accent); background: var(--wash); color: var(--ink); font-weight: 600; }
.choice { padding-block: 1rem; border-top: 1px solid var(--line); display: grid; gap: 0.6rem; }
.choice:target { outline: 2px solid var(--accent); outline-offset: 0.35rem; border-radius: 6px; }
.number { width: 8rem; }
.wrong { color: var(--none); font-weight: 600; }
@media (max-width: 30rem) {
  dl > div { grid-template-columns: 1fr; }
  .row > :is(.button, button) { flex: 1 1 8rem; }
  .values > button { flex-basis: 100%; justify-content: start; }
}
@media (max-width: 45rem) {
  table, tbody, tr, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding-block: 0.6rem; border-top: 1px solid var(--line); }
  td { padding: 0; border: 0; }
  td:empty { display: none; }
}
@media (forced-colors: active) {
  .values [aria-pressed='true'] { border: 3px solid Highlight; }
}
`
