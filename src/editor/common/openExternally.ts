import * as vscode from 'vscode';
import { showError } from './notifications.ts';

/**
 * Opens exactly the URL that the user consented to: `Uri.parse` would re-encode it, while a string passes through
 * unchanged. False if it was not opened, for whatever reason.
 */
export async function openExternally(href: string): Promise<boolean> {
	try {
		return await vscode.env.openExternal(href as unknown as vscode.Uri);
	} catch (error) {
		showError(error);
		return false;
	}
}
