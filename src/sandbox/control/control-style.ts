export const CONTROL_STYLE = `
main, header { width: min(70rem, 100% - 2.5rem); }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; align-items: start; }
.stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; }
.row { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem; }
.row label, .fields label { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.2rem; min-width: 0; max-width: 100%; color: var(--muted); font-size: 0.875rem; }
.row > form { min-width: 0; max-width: 100%; }
.row .wide { flex: 1 1 16rem; }
.row .wide input, .row select { width: 100%; }
.between { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1rem; }
input:not([type='hidden']), select {
  min-height: 2.75rem;
  max-width: 100%;
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--field);
  border-radius: 10px;
  background: var(--card);
  color: var(--ink);
  font: inherit;
}
::placeholder { color: var(--muted); opacity: 1; }
.number { width: 7rem; }
details > summary { padding-block: 0.25rem; color: var(--muted); cursor: pointer; }
details > summary:hover { color: var(--accent); }
.link:hover { color: var(--accent-strong); }
.link:focus-visible { border-radius: 4px; }

.clock { gap: 1.25rem 2.5rem; }
.now { display: grid; gap: 0.35rem; align-content: start; }
.now time { color: var(--muted); }
.digits { position: relative; color: var(--ink); font-size: 2.75rem; font-weight: 650; line-height: 1.1; letter-spacing: -0.02em; }
.date { display: block; }
.moves { display: grid; gap: 1rem; align-content: start; }
.targets { align-items: stretch; }
.two { display: grid; justify-items: start; line-height: 1.3; text-align: left; }
.two small { font-size: var(--small); font-weight: 400; }

.limits { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.limits h3 .chip { font-weight: 400; }
.meters { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9.5rem, 100%), 1fr)); gap: 0.75rem 1.25rem; }
.meter { display: grid; gap: 0.35rem; align-content: start; }
.meter p { display: grid; font-size: 0.875rem; color: var(--muted); }
.meter strong { color: var(--ink); font-size: 1.0625rem; }
.meter .bar { height: 0.5rem; border-radius: 0.25rem; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(13rem, 100%), 1fr)); align-items: end; gap: 0.75rem 1.5rem; }
.fields .number { width: 100%; }
.limits .form { gap: 1rem; padding-block: 0.5rem; }

.rows { display: grid; margin: 0; padding: 0; list-style: none; }
.rows li { display: flex; align-items: center; justify-content: space-between; gap: 0.25rem 1rem; padding-block: 0.35rem; border-top: 1px solid var(--line); }
.rows li:last-child { border-bottom: 1px solid var(--line); }
.rows p { min-width: 0; }
.rows small { display: block; color: var(--muted); font-size: 0.875rem; }
.rows form { flex: none; }
@supports selector(:has(*)) {
  .fault-form:not(:has([value='delay']:checked)) .of-delay { display: none; }
  .fault-form:not(:has([value='status']:checked, [value='html']:checked)) .of-status { display: none; }
}

.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; overflow-wrap: normal; }
th { color: var(--muted); font-size: var(--small); font-weight: 550; text-align: left; }
th, td { padding: 0.5rem 1rem 0.5rem 0; border-top: 1px solid var(--line); vertical-align: top; }
thead th { border-top: 0; white-space: nowrap; }
td:first-child, .figure { white-space: nowrap; }
td code { overflow-wrap: anywhere; }
td small { display: block; color: var(--muted); font-size: var(--small); }
td summary { padding: 0; font-size: var(--small); }
.status { font-weight: 600; }
.s4, .s0 { color: var(--low); }
.s5 { color: var(--none); }
.wrong { display: block; color: var(--none); font-weight: 600; }
.wrong::before { content: '\\25B2\\00A0'; }

.presets { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); gap: 1rem; }
.presets > li { display: grid; grid-template-rows: auto auto 1fr auto; gap: 0.5rem; padding: 1rem; border: 1px solid var(--line); border-radius: 10px; }
.presets li li { padding-block: 0.15rem; font-size: 0.875rem; }
.presets .chip, h2 .chip, h3 .chip { font-weight: 400; }
.group { gap: 0; padding: 0; }
.group > summary { display: flex; align-items: baseline; gap: 0.25rem 0.75rem; padding: 1rem clamp(1.25rem, 4vw, 1.5rem); border-radius: inherit; color: var(--ink); }
.group > summary::before { content: ''; flex: none; width: 0.45rem; height: 0.45rem; border: solid var(--muted); border-width: 0 2px 2px 0; rotate: -45deg; translate: 0 -0.1rem; }
.group[open] > summary::before { rotate: 45deg; translate: 0 -0.2rem; }
.group > :not(summary) { margin-inline: clamp(1.25rem, 4vw, 1.5rem); }
.group > ul { margin-block: 0 1.5rem; }
.choice { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.6rem; padding-block: 1.25rem; border-top: 1px solid var(--line); scroll-margin-top: 1rem; }
.choice code { font-size: 0.9375rem; }
.other { border-left: 4px solid var(--accent); padding-left: 1rem; }
.choice:target { outline: 2px solid var(--accent); outline-offset: 0.35rem; border-radius: 6px; }
.values { display: flex; flex-wrap: wrap; gap: 0.5rem; min-width: 0; margin: 0; padding: 0; border: 0; }
.values button { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; align-items: baseline; gap: 0 0.5rem; padding: 0.45rem 0.9rem; font-weight: 400; text-align: left; }
.values button::before { content: ''; flex: none; align-self: center; width: 0.7rem; height: 0.7rem; border: 2px solid var(--field); border-radius: 50%; }
.values [aria-pressed='true'] { border-color: var(--accent); background: var(--wash); color: var(--ink); font-weight: 600; }
.values [aria-pressed='true']::before { border-color: var(--accent); background: var(--accent); box-shadow: inset 0 0 0 2px var(--wash); }
.values small { color: var(--muted); font-size: var(--small); font-weight: 400; }
.why { font-size: 0.9375rem; }
.why li { padding-block: 0.1rem; }
.contradictions { display: grid; gap: 0.75rem; }
#choices, #limits, #faults, #request-log, #presets { scroll-margin-top: 1.5rem; }

@media (min-width: 60rem) {
  .clock { grid-template-columns: minmax(16rem, auto) minmax(0, 1fr); }
  .columns { grid-template-columns: minmax(0, 6fr) minmax(0, 5fr); }
  .choice { grid-template: auto auto 1fr / minmax(0, 2fr) minmax(0, 3fr); gap: 0.35rem 2rem; padding-block: 1rem; }
  .choice > * { grid-column: 1; }
  .choice > :nth-child(3) { grid-area: 1 / 2 / span 3; }
}
@media (max-width: 40rem) {
  .request-log, .request-log tbody, .request-log tr, .request-log td { display: block; }
  .request-log thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .request-log tr { padding-block: 0.6rem; border-top: 1px solid var(--line); }
  .request-log td { padding: 0; border: 0; }
  .request-log td:empty { display: none; }
  .request-log td:first-child small, .request-log td:nth-child(n + 3), .request-log td:nth-child(n + 3) small { display: inline; }
  .request-log td:first-child small { margin-left: 0.5rem; }
  .request-log td:nth-child(n + 3) { margin-right: 0.75rem; white-space: normal; }
  .row > label, .row > button { flex: 1 1 8rem; }
  .row > .instant { flex-basis: 15rem; }
  .row > form { flex: 1 1 100%; }
  .row > label > * { width: 100%; }
  .values button { width: 100%; }
}
@media (forced-colors: active) {
  .values [aria-pressed='true'] { border: 3px solid Highlight; }
  .values [aria-pressed='true']::before { background: Highlight; forced-color-adjust: none; }
}
`
