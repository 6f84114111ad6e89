/** For lists of credentials and for forms. */
export const SETTINGS_STYLE = `
main:has(> .tabs) { padding-block-start: 0.25rem; }
.tabs { display: flex; flex-wrap: wrap; gap: 0 clamp(1rem, 3vw, 1.75rem); border-bottom: 1px solid var(--line); }
.tabs a { margin-bottom: -1px; padding-block: 0.6rem; border-bottom: 3px solid transparent; color: var(--muted); text-decoration: none; }
.tabs a:hover { color: var(--ink); border-color: var(--line); }
.tabs a[aria-current] { border-color: var(--accent); color: var(--ink); font-weight: 600; }
.heading { display: grid; }
.heading .eyebrow { margin: 0; }
.links { flex-wrap: wrap; }
.done { display: block; padding: 0.75rem 1rem; border: 1px solid var(--good); border-radius: 10px; background: var(--card); }
.done::before { content: '✓'; margin-right: 0.6rem; color: var(--good); font-weight: 700; }
.action { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.75rem 1.5rem; }
.action .hint { flex-basis: 100%; }
.button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  min-height: 2.75rem;
  padding: 0.5rem 1rem;
  border: 1px solid var(--field);
  border-radius: 10px;
  background: var(--card);
  color: var(--ink);
  font-weight: 550;
  text-decoration: none;
}
.button:hover { border-color: var(--accent); color: var(--accent); }
.button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.button.primary:hover { border-color: var(--accent-strong); background: var(--accent-strong); color: var(--on-accent); }
button:disabled, button:disabled:hover { border: 1px dashed var(--field); background: none; color: var(--muted); cursor: not-allowed; }
.empty { padding: 2rem; border: 1px dashed var(--line); border-radius: 10px; color: var(--muted); text-align: center; }
.issued { display: grid; gap: 1rem; }
.issued .card { gap: 0.75rem; }
.issued .row { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; }
.issued h2 { font-size: 1.125rem; }
.issued .facts > div { grid-template-columns: minmax(7rem, 1fr) 4fr; }
.issued .facts dd { grid-column: 2; }
.value { padding: 0.15rem 0.4rem; margin-left: -0.4rem; border-radius: 6px; background: var(--wash); -webkit-box-decoration-break: clone; box-decoration-break: clone; font-weight: 500; user-select: all; word-break: break-all; }
.once { display: block; color: var(--none); font-weight: 600; }
.masked a { margin-left: 0.5rem; font-weight: 400; }
.off { border-style: dashed; background: none; color: var(--muted); font-weight: 400; }
.off::before { content: '■ '; font-size: 0.7em; vertical-align: 0.1em; }
.form .answers > * { flex: 0 0 auto; min-width: 8rem; }
.errors + .form { margin-top: 0.75rem; }
.form { display: grid; gap: 1.5rem; }
.field { display: grid; gap: 0.35rem; }
.field > label { font-weight: 600; }
.field label .quiet { font-weight: 400; }
.field p { font-size: 0.9375rem; }
.field input:not([type='checkbox']), .field textarea {
  width: 100%;
  min-height: 2.75rem;
  padding: 0.55rem 0.8rem;
  border: 1px solid var(--field);
  border-radius: 10px;
  background: var(--card);
  color: var(--ink);
  font: inherit;
}
.field textarea { resize: vertical; }
.field input.address, .field textarea.address { font: 0.9375rem/1.6 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
.field [aria-invalid='true'][aria-invalid] { border: 2px solid var(--none); }
.error { color: var(--none); font-weight: 600; }
.error::before { content: '▲ '; font-size: 0.8em; }
.errors { display: grid; gap: 0.4rem; padding: 1rem 1.25rem; border: 2px solid var(--none); border-radius: 10px; }
.errors ul { display: grid; gap: 0.25rem; }
.errors a { color: var(--none); font-weight: 600; }
.form fieldset { display: grid; gap: 0.75rem; margin: 0; padding: 0; border: 0; min-width: 0; }
.form legend { padding: 0 0 0.6rem; font-weight: 600; }
.field > .tick, .tick { display: flex; align-items: flex-start; gap: 0.75rem; padding-block: 0.5rem; font-weight: 400; cursor: pointer; }
.tick input, .plan input { flex: none; width: 1.35rem; height: 1.35rem; margin: 0.1rem 0 0; accent-color: var(--accent); }
.plan input { position: relative; z-index: 1; }
.plans { display: grid; gap: 0.75rem; }
.plan {
  position: relative;
  display: grid;
  grid-template-columns: auto 1fr;
  gap: 0.1rem 0.75rem;
  padding: 1rem 1.25rem;
  border: 1px solid var(--field);
  border-radius: 10px;
}
.plan p { grid-column: 2; }
.plan label { font-weight: 650; cursor: pointer; }
.plan label::after { content: ''; position: absolute; inset: 0; }
.plan:has(:checked) { border-color: var(--accent); background: var(--wash); }
.plan:has(:checked) .quiet { color: var(--ink); }
.confirm { display: block; padding: 0; }
.confirm summary { padding: 1rem clamp(1.25rem, 4vw, 1.5rem); border-radius: inherit; font-weight: 600; cursor: pointer; }
.confirm > :not(summary) { margin-inline: clamp(1.25rem, 4vw, 1.5rem); }
.confirm form { margin-block: 1rem 1.5rem; }
.danger { border-color: var(--none); color: var(--none); }
.danger:hover { border-color: var(--none); background: var(--none); color: var(--card); }
@media (max-width: 30rem) {
  .form .answers > * { flex: 1 1 100%; }
}
`
