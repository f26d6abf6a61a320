/** Style of the report for light and dark screens and for print. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --line: #8885; --soft: #8881; --muted: light-dark(#555, #aaa);
	--person: light-dark(#bc6c00, #e3a34a); --bad: light-dark(#c00, #ff7b72); --good: light-dark(#1a7f37, #3fb950); }
* { box-sizing: border-box; }
body { font: 14px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 0 auto; padding: 24px; overflow-wrap: anywhere; }
h1 { font-size: 1.5em; margin: 0; }
h2 { font-size: 1.2em; margin: 0; }
h3 { font-size: 1em; margin: 14px 0 4px; }
p, ol, ul, blockquote { margin: 4px 0; }
.muted, time, .server { color: var(--muted); font-weight: normal; }
section { border: 1px solid var(--line); border-radius: 6px; padding: 12px 16px; margin-block: 16px; break-inside: auto; }
section.failed { border-inline-start: 4px solid var(--bad); }
section.succeeded { border-inline-start: 4px solid var(--good); }
ol { list-style: none; padding: 0; }
li { border-block-start: 1px solid var(--soft); padding-block: 3px; }
li > details > summary, details > summary { cursor: pointer; }
.direction { display: inline-block; width: 1.4em; }
.error { color: var(--bad); font-weight: 600; }
.elicitation { border: 1px solid var(--line); border-inline-start: 4px solid var(--person); border-radius: 4px; padding: 8px 12px; margin-block: 6px; }
blockquote { white-space: pre-wrap; border-inline-start: 3px solid var(--line); padding-inline-start: 12px; }
pre { background: var(--soft); border-radius: 4px; padding: 8px 12px; margin: 6px 0; white-space: pre-wrap; font: 12px/1.45 ui-monospace, monospace; }
.warning { border: 1px solid var(--bad); border-radius: 4px; padding: 6px 12px; font-weight: 600; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media print { details { break-inside: avoid; } }
`;
