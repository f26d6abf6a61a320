import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Ended, tapStdio } from '../../../src/tap/stdio.ts';
import { itByNight, runs } from '../../nightly.ts';
import { copying, inPieces, streams } from './tapped.ts';

const peer = join(import.meta.dirname, 'peers', 'echo.mjs');
// biome-ignore lint/suspicious/noExplicitAny: nothing here is killed
const reaper = { watch() {}, release() {} } as any;

const program = (...args: string[]) => ({ command: process.execPath, args: [peer, ...args], isTerminal: false });

/** Runs the peer behind a tap. */
function tapped(input: Readable, output: Writable, ...args: string[]) {
	const recorder = copying();
	return { recorder, ended: tapStdio({ ...program(...args), input, output }, recorder, reaper) };
}

const exited = (code: number): Ended => ({ code, signal: null });

describe('a server behind a tap over stdio', () => {
	it('gets and gives the same bytes, whatever they are, and ends with its own status', async () => {
		const property = fc.asyncProperty(streams, async (pieces) => {
			const output = new PassThrough();
			const [read, { recorder, ended }] = [buffer(output), tapped(Readable.from(inPieces(pieces)), output)];
			expect(await ended).toEqual(exited(7));
			const all = Buffer.concat(pieces);
			expect((await read).equals(all)).toBe(true);
			// The copies are complete, too.
			expect([recorder.bytesOf('sent').equals(all), recorder.bytesOf('received').equals(all)]).toEqual([true, true]);
			expect(recorder.copies.every((copy) => copy.ended)).toBe(true);
		});
		await fc.assert(property, { numRuns: runs(50) });
	});

	it.each([0, 100_000])('that dies after %i bytes has given what it had, and its signal passes', async (length) => {
		const output = new PassThrough();
		const input = new PassThrough();
		input.write(Buffer.alloc(200_000, 'x'));
		const [read, { ended }] = [buffer(output), tapped(input, output, 'die', String(length))];
		expect(await ended).toEqual(process.platform === 'win32' ? exited(1) : { code: null, signal: 'SIGKILL' });
		const { length: given } = await read;
		expect(given).toBeGreaterThanOrEqual(length);
		expect(input.destroyed).toBe(true);
	});

	it('ends when its client goes while it writes', async () => {
		const output = new PassThrough();
		const { ended } = tapped(new PassThrough(), output, 'flood', '5000000');
		output.once('data', () => output.destroy(new Error('gone')));
		expect(await ended).not.toEqual(exited(0));
	});

	it('waits for a client that reads slowly, rather than collecting what it writes', async () => {
		let [copied, read, most] = [0, 0, 0];
		const output = new Writable({
			async write(chunk: Buffer, _encoding, done) {
				await setImmediate();
				most = Math.max(most, copied - read);
				read += chunk.length;
				done();
			},
		});
		const count = ({ length }: Uint8Array) => {
			copied += length;
		};
		const recorder = { open: () => ({ id: 1, write: count, end() {} }) };
		const tap = { ...program('flood', '20000000'), input: new PassThrough(), output };
		expect(await tapStdio(tap, recorder, reaper)).toEqual(exited(7));
		expect([read, copied]).toEqual([20_000_000, 20_000_000]);
		expect(most).toBeLessThan(1_000_000);
	});

	it('can close its output while it still reads', { skip: process.platform === 'win32' }, async () => {
		const [input, output] = [new PassThrough(), new PassThrough()];
		const { ended } = tapped(input, output, 'mute');
		expect(await buffer(output)).toHaveLength(0);
		input.end();
		expect(await ended).toEqual(exited(0));
	});

	it('is reported if it cannot be started', async () => {
		const tap = { command: join(import.meta.dirname, 'nowhere'), args: [], isTerminal: false };
		const ended = tapStdio({ ...tap, input: new PassThrough(), output: new PassThrough() }, copying(), reaper);
		await expect(ended).rejects.toThrow('ENOENT');
	});

	itByNight('passes a message of 60 MB on in both directions', async () => {
		const message = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', method: 'm', params: 'é'.repeat(30_000_000) })}\n`);
		const output = new PassThrough();
		const [read, { ended }] = [buffer(output), tapped(Readable.from([message]), output)];
		expect(await ended).toEqual(exited(7));
		expect((await read).equals(message)).toBe(true);
	});
});
