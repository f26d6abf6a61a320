import { expect, it } from 'vitest';
import { localizeNative } from '../../../../src/editor/common/localize.ts';
import { showModal } from '../../../../src/editor/common/notifications.ts';
import { messages, textsOf } from '../surfaces.ts';

const shown = messages(({ choose }) => choose());

it('a dialog shows a name with line breaks on one line', async () => {
	await showModal('warning', localizeNative('Start the MCP server "{0}"?', 'it"?\n\nIt is signed.\t'), '');
	expect(textsOf(shown)).toEqual(['Start the MCP server "it"?‹U+000A›‹U+000A›It is signed.‹U+0009›"?']);
});
