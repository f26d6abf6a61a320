import { createHash } from 'node:crypto';

const style = `
	:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
	body { display: grid; place-items: center; min-height: 90vh; margin: 0; }
	main { max-width: 28rem; padding: 2rem; text-align: center; }
	h1 { font-size: 1.5rem; }
	button { font: inherit; padding: .6rem 2rem; border: 0; border-radius: .4rem; background: #0a62c9; color: #fff; cursor: pointer; }
	button:focus-visible { outline: 3px solid; outline-offset: 3px; }`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** Allows this one style sheet and the button, and nothing else. */
export const contentSecurityPolicy = [
	`default-src 'none'`,
	`style-src 'sha256-${styleHash}'`,
	`form-action 'self'`,
	`base-uri 'none'`,
	`frame-ancestors 'none'`,
].join('; ');

/** The page before its button was pressed. */
export function waitingHtml(title: string): string {
	return html(
		title,
		`<p>This page stands for a sign-in, a payment or anything else that belongs between you and a site alone.
		It asks for nothing. Press the button to let the demo server know that you are done.</p>
		<form method="post"><button autofocus>Finish</button></form>`,
	);
}

/** The page afterwards. */
export function finishedHtml(title: string): string {
	return html(title, '<p role="status">Finished. You can close this tab and go back to your editor.</p>');
}

/** Titles are the demo's own words, so nothing needs to be escaped. */
function html(title: string, body: string): string {
	return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1>${body}</main></body>
</html>`;
}
