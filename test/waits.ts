import { vi } from 'vitest';

/*
 * What tests wait for may take long on a busy machine. vitest gives up after a second; `expect.poll` has its limit in the
 * configuration.
 */

const { waitFor, waitUntil } = vi;
const limited = (options: number | object = {}) =>
	typeof options === 'number' ? options : { timeout: 120_000, ...options };

vi.waitFor = (callback, options) => waitFor(callback, limited(options));
vi.waitUntil = (callback, options) => waitUntil(callback, limited(options));
