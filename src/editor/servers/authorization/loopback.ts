import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { parseUrl } from '../../../elicitation/url/parseUrl.ts';
import type { Redirect } from '../../../mcp/index.ts';
import { localize } from '../../common/localize.ts';
import { PendingRedirects } from './pendingRedirects.ts';

const HOST = '127.0.0.1';

/**
 * A redirect URI on the loopback interface. It listens only while a sign-in is pending, and only to this computer. In a
 * remote window, VS Code forwards the port.
 * @param path path of the redirect URI
 * @param port required port
 * @param earlier redirect URIs used before; one of their ports is reused if it is free
 */
export async function loopbackRedirect(
	path: string,
	port: number | undefined,
	earlier: readonly string[],
): Promise<Redirect> {
	const redirects = new PendingRedirects();
	const server = createServer(({ url = '', method }, response) => {
		// The line is not parsed as a URL, because any local program can send any request line.
		const [requestPath, ...query] = url.split('?');
		if (method !== 'GET' || requestPath !== path) {
			response.writeHead(404).end();
		} else if (!redirects.take(new URLSearchParams(query.join('?')))) {
			show(response, 400, localize('This page does not belong to a sign-in that is in progress.'));
		} else {
			show(response, 200, localize('You can close this page and go back to the editor.'));
		}
	});
	const listen = (wanted: number) =>
		new Promise<boolean>((resolve) => {
			server.once('error', () => resolve(false));
			server.listen(wanted, HOST, () => resolve(true));
		});
	const ports = port !== undefined ? [port] : [...earlier.flatMap(portOf), 0];
	let listening = false;
	for (const wanted of ports) {
		listening ||= await listen(wanted);
	}
	if (!listening) {
		throw new Error(localize('port {0} of this computer is in use by another program.', String(port ?? 0)));
	}
	const address = `http://${HOST}:${(server.address() as AddressInfo).port}${path}`;
	const dispose = () => {
		server.close();
		server.closeIdleConnections();
	};
	const external = await vscode.env.asExternalUri(vscode.Uri.parse(address)).then(undefined, (error) => {
		dispose();
		throw error;
	});
	// Encoding it again would change the URI.
	return { url: external.toString(true), answer: (state, signal) => redirects.wait(state, signal), dispose };
}

function portOf(redirect: string): number[] {
	const url = parseUrl(redirect);
	return url?.hostname === HOST && url.port !== '' ? [Number(url.port)] : [];
}

/** Only the extension's own text. Nothing from the request appears on the page. */
function show(response: ServerResponse, status: number, text: string): void {
	const asHtml = (words: string) => words.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
	const page = `<!DOCTYPE html>
<html lang="${asHtml(vscode.env.language)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>MCP Elicitation</title>
<h1>MCP Elicitation</h1>
<p>${asHtml(text)}</p>
</html>`;
	response
		.writeHead(status, {
			'content-type': 'text/html;charset=utf-8',
			'content-security-policy': "default-src 'none'",
			'cache-control': 'no-store',
			'referrer-policy': 'no-referrer',
			connection: 'close',
		})
		.end(page);
}
