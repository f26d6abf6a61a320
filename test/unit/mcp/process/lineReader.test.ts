import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineReader } from '../../../../src/mcp/process/lineReader.ts';
import { REDACTED, Secrets } from '../../../../src/privacy/secrets.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\n', '\r\n', ' ') });

it('however the bytes are cut, the same lines are read, in order', async () => {
	const property = fc.asyncProperty(text, fc.array(fc.nat(20), { minLength: 1 }), async (written, sizes) => {
		const stream = new PassThrough();
		const lines: string[] = [];
		const reader = new LineReader(stream, { maxLength: 1_000, onLine: (line) => lines.push(line) });
		const bytes = Buffer.from(written);
		for (let at = 0, index = 0; at < bytes.length; index++) {
			const size = (sizes[index % sizes.length] ?? 0) + 1;
			stream.write(bytes.subarray(at, at + size));
			at += size;
		}
		stream.end();
		await reader.done;
		const expected = written.split(/\r?\n/);
		expect(lines).toEqual(expected.at(-1) === '' ? expected.slice(0, -1) : expected);
	});
	await fc.assert(property);
});

it('a line that is too long ends where it is, and says how much was omitted, or is reported in its place', async () => {
	const read = async (onTooLong?: () => void) => {
		const stream = new PassThrough();
		const lines: string[] = [];
		const onLine = (line: string) => lines.push(line);
		const reader = new LineReader(stream, { maxLength: 10, onLine, ...(onTooLong && { onTooLong }) });
		for (const chunk of ['short\n', 'x'.repeat(11), 'y'.repeat(5), '\nend']) stream.write(chunk);
		stream.end();
		await reader.done;
		return lines;
	};
	expect(await read()).toEqual(['short', `${'x'.repeat(10)}…‹+6›`, 'end']);
	let reported = 0;
	expect(await read(() => reported++)).toEqual(['short', 'yyyyy', 'end']);
	expect(reported).toBe(1);
});

it('a secret in which a line was cut is in no log, neither of its parts', async () => {
	const secrets = new Secrets();
	secrets.add(['SUPERSECRETVALUE12345']);
	const stream = new PassThrough();
	const lines: string[] = [];
	const reader = new LineReader(stream, { maxLength: 100, onLine: (line) => lines.push(secrets.hideIn(line)) });
	stream.end(`${'x'.repeat(89)}SUPERSECRETVALUE12345 tail\nnext\n`);
	await reader.done;
	expect(lines).toEqual([`${'x'.repeat(89)}${REDACTED}…‹+15›`, 'next']);
});

it('what is left is read without a pause once the process has exited', async () => {
	const stream = new PassThrough();
	let read = 0;
	const reader = new LineReader(stream, { maxLength: 10, onLine: () => read++ });
	stream.write('x\n'.repeat(1_000));
	while (read === 0) await setImmediate();
	expect(read).toBeLessThan(1_000);
	reader.finish();
	expect(read).toBe(1_000);
	stream.end();
	await reader.done;
});

it('a stream that fails is read to where it failed', async () => {
	const stream = new PassThrough();
	const lines: string[] = [];
	const reader = new LineReader(stream, { maxLength: 10, onLine: (line) => lines.push(line) });
	stream.write('whole\npart');
	while (lines.length === 0) await setImmediate();
	stream.destroy(new Error('broken pipe'));
	await reader.done;
	expect(lines).toEqual(['whole', 'part']);
});
