// @ts-check
/**
 * What the extension adds to the opening of a window: the time in which the editor loads its code and calls its `activate`, by the
 * editor's own marks, beside an extension that does nothing, and beside an ES module that does nothing: the editor takes most of the
 * time to load any module.
 */
import { rm } from 'node:fs/promises';
import { tell } from '../harness/process.mjs';
import { get, port, withEditor } from './editor.mjs';
import { median } from './report.mjs';

const WINDOWS = 9;
const OURS = 'mcp-elicitation.mcp-elicitation';
const EMPTY = 'mcp-elicitation-bench.empty';
const EMPTY_MODULE = 'mcp-elicitation-bench.empty-module';

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default async function activationBenchmarks() {
	const { ours, empty, emptyModule } = await activationTimes(WINDOWS);
	const row = { name: 'activation, ms', value: median(ours) };
	return [
		{ ...row, baseline: median(empty), baselineName: 'empty extension', goal: '≤ 20 more' },
		{ ...row, baseline: median(emptyModule), baselineName: 'empty ES module' },
	];
}

/**
 * Milliseconds of each of so many windows, one after the other.
 * @param {number} windows
 */
export function activationTimes(windows) {
	return withEditor(['empty', 'empty-module', 'empty-panel'], async ({ host, folder, newPage, panelPort }) => {
		/** @type {Record<'ours' | 'empty' | 'emptyModule', number[]>} */
		const times = { ours: [], empty: [], emptyModule: [] };
		// The first window has to warm up what all later ones share.
		for (let window = 0; window <= windows; window++) {
			tell(`activation: window ${window} of ${windows}`);
			await rm(panelPort, { force: true });
			const page = await newPage();
			await page.goto(`${host.url}/?${new URLSearchParams({ folder })}`);
			const activations = await allActivated(await port(panelPort));
			if (window > 0) {
				times.ours.push(activations[OURS] ?? Number.NaN);
				times.empty.push(activations[EMPTY] ?? Number.NaN);
				times.emptyModule.push(activations[EMPTY_MODULE] ?? Number.NaN);
			}
			await page.context().close();
		}
		return times;
	});
}

/**
 * @param {number} panel
 * @returns {Promise<Record<string, number>>}
 */
async function allActivated(panel) {
	for (const patience = Date.now() + 30_000; Date.now() < patience; ) {
		const activations = await get(panel, '/activations');
		if ([OURS, EMPTY, EMPTY_MODULE].every((id) => id in activations)) {
			return activations;
		}
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	throw new Error('The extensions were not activated within 30 s.');
}
