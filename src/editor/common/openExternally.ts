import * as vscode from 'vscode';
import { showError } from './notices.ts';

/**
 * Hands over the very bytes that were consented to: `Uri.parse` would re-encode them, a string passes through unchanged.
 * False when the page was not opened, for whatever reason.
 */
export async function openExternally(href: string): Promise<boolean> {
	try {
		return await vscode.env.openExternal(href as unknown as vscode.Uri);
	} catch (error) {
		showError(error);
		return false;
	}
}
