// @ts-check
/**
 * What the extension adds to the opening of a window: the time in which the editor loads its code and calls its `activate`, by the
 * editor's own marks, beside an extension that does nothing, and beside an ES module that does nothing: the editor takes most of the
 * time to load any module.
 */
import { rm } from 'node:fs/promises';
import { ask, port, withEditor } from './editor.mjs';
import { inTurns, median, until } from './report.mjs';

const WINDOWS = 9;
const OURS = 'mcp-elicitation.mcp-elicitation';
const EMPTY = 'mcp-elicitation-bench.empty';
const EMPTY_MODULE = 'mcp-elicitation-bench.emptymodule';

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default () =>
	withEditor(['empty.cjs', 'emptyModule.mjs', 'emptyPanel.cjs'], async ({ host, folder, newPage, panelPort }) => {
		const { windows } = await inTurns('activation', WINDOWS, {
			windows: async () => {
				await rm(panelPort, { force: true });
				const page = await newPage();
				await page.goto(`${host.url}/?${new URLSearchParams({ folder })}`);
				const panel = await port(panelPort);
				const times = await until('the extensions are activated', async () => {
					const activations = await ask(panel, '/activations');
					return [OURS, EMPTY, EMPTY_MODULE].every((id) => id in activations) ? activations : undefined;
				});
				await page.context().close();
				return times;
			},
		});
		const of = (/** @type {string} */ id) => median(windows.map((times) => times[id]));
		return [
			['activation, ms', of(OURS), [of(EMPTY), 'empty CommonJS extension']],
			['activation, ms', of(OURS), [of(EMPTY_MODULE), 'empty ES module'], '≤ 20 more'],
		];
	});
