/** The part of the stylesheet that only the pages of the control plane have. */
export const CONTROL_STYLE = `
main { width: min(62rem, 100% - 2.5rem); }
header { width: min(62rem, 100% - 2.5rem); }
.now { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1rem; font-size: 1.375rem; font-weight: 650; }
.now .chip { font-weight: 400; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 1.5rem; }
.row { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem; }
.row label { display: grid; gap: 0.2rem; min-width: 0; max-width: 100%; color: var(--muted); font-size: 0.875rem; }
.row > p { display: grid; align-content: center; min-height: 2.75rem; }
.row select { width: 100%; }
input:not([type='radio']), select {
  min-height: 2.75rem;
  max-width: 100%;
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--muted);
  border-radius: 10px;
  background: var(--card);
  color: var(--ink);
  font: inherit;
}
.number { width: 7rem; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; overflow-wrap: normal; }
th { color: var(--muted); font-weight: 400; text-align: left; }
th, td { padding: 0.5rem 1rem 0.5rem 0; border-top: 1px solid var(--line); vertical-align: top; }
thead th { border-top: 0; white-space: nowrap; }
td:first-child, .figure { white-space: nowrap; }
td small { display: block; color: var(--muted); font-size: 0.8125rem; }
.wrong { display: block; font-weight: 650; }
.wrong::before { content: '\\25B2\\00A0'; }
.choice { gap: 0.75rem; scroll-margin-top: 1rem; }
.choice > header { display: flex; justify-content: start; gap: 0.25rem 0.75rem; width: auto; margin: 0; padding: 0; }
.choice fieldset { display: grid; gap: 0.15rem; margin: 0; padding: 0; border: 0; }
.choice legend { padding: 0 0 0.25rem; color: var(--muted); font-size: 0.875rem; }
.choice label { display: flex; align-items: baseline; gap: 0.6rem; min-height: 2rem; padding-block: 0.2rem; }
.choice input { flex: none; width: 1.1rem; height: 1.1rem; margin: 0; translate: 0 0.15rem; accent-color: var(--accent); }
.choice label small { color: var(--muted); font-size: 0.875rem; }
.choice form { display: grid; gap: 0.75rem; justify-items: start; }
.other { border-left: 4px solid var(--accent); }
.index { columns: 14rem; font-size: 0.875rem; }
.index a { display: inline-block; min-height: 1.5rem; }
.contradictions { display: grid; gap: 0.75rem; }
@media (max-width: 40rem) {
  .request-log, .request-log tbody, .request-log tr, .request-log td { display: block; }
  .request-log thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .request-log tr { padding-block: 0.6rem; border-top: 1px solid var(--line); }
  .request-log td { padding: 0; border: 0; }
  .request-log td:empty { display: none; }
  .request-log td:first-child small { display: inline; margin-left: 0.5rem; }
}
`
