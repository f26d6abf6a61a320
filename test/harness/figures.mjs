// @ts-check
/** The size of the package, which is limited, and by night its activation time, for information. */
import { pathToFileURL } from 'node:url';
import { packageExtension } from '../../scripts/package.mjs';
import { activationTimes } from '../bench/activation.mjs';
import { median } from '../bench/report.mjs';
import { writeCounts } from './counts.mjs';
import { nightly } from './paths.mjs';
import { main } from './process.mjs';

const KILOBYTE = 1024;
/** Bytes. */
export const LIMITS = { package: 640 * KILOBYTE, start: 120 * KILOBYTE };

const WINDOWS = 3;

/**
 * @param {Pick<import('../../scripts/package.mjs').Package, 'bytes' | 'bytesAtStart'>} weighed
 * @returns {{ what: string, bytes: number, limit: number, kept: boolean }[]}
 */
export function weigh({ bytes, bytesAtStart }) {
	return [
		{ what: 'package', bytes, limit: LIMITS.package },
		{ what: 'loaded when a window opens', bytes: bytesAtStart, limit: LIMITS.start },
	].map((figure) => ({ ...figure, kept: figure.bytes <= figure.limit }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	await main(async () => {
		const figures = weigh(await packageExtension());
		const inKilobytes = (/** @type {number} */ size) => `${(size / KILOBYTE).toFixed(1)} KB`;
		for (const { what, bytes, limit, kept } of figures) {
			console.log(`${kept ? '✔' : '✘'} ${what.padEnd(26)}  ${inKilobytes(bytes)} of at most ${inKilobytes(limit)}`);
		}
		if (nightly) {
			const { ours, empty } = await activationTimes(WINDOWS);
			const times = `${median(ours)} ms, an extension that does nothing ${median(empty)} ms`;
			console.log(`· ${'activation'.padEnd(26)}  ${times} (medians of ${WINDOWS} windows)`);
		}
		const failed = figures.filter(({ kept }) => !kept).length;
		await writeCounts('figures', { passed: figures.length - failed, failed });
		return failed === 0 ? 0 : 1;
	});
}
