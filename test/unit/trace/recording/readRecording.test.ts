import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeMessage } from '../../../../src/trace/describe.ts';
import { Outline } from '../../../../src/trace/outline.ts';
import { readRecording } from '../../../../src/trace/recording/readRecording.ts';
import { runs } from '../../../nightly.ts';
import { HOSTILE_VALUES, replaced } from '../../../replaced.ts';
import { answered, asked, called, ended, exportOf, failed, played, read, recording } from './recorded.ts';

const TEXT = recording(called(1), asked(9), answered(9), ended(1));
const LINES = TEXT.trimEnd().split('\n');

const line = fc.oneof(
	fc.constantFrom(...LINES),
	fc.string(),
	fc.json(),
	fc
		.record(
			{
				seq: fc.oneof(fc.integer(), fc.string()),
				at: fc.oneof(
					fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
					fc.string(),
					fc.double(),
				),
				server: fc.oneof(fc.string(), fc.constant('s'), fc.anything()),
				direction: fc.constantFrom('sent', 'received', 'up'),
				call: fc.oneof(fc.constant({ id: '7', kind: 'tool', name: 'deploy' }), fc.anything()),
				message: fc.oneof(
					fc.record(
						{
							id: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.anything()),
							method: fc.constantFrom('tools/call', 'elicitation/create', 'notifications/cancelled', 'x', '__proto__'),
							params: fc.anything(),
							result: fc.anything(),
							error: fc.anything(),
						},
						{ requiredKeys: [] },
					),
					fc.anything(),
				),
			},
			{ requiredKeys: ['direction'] },
		)
		.map((each) => JSON.stringify(each, (_, value) => (typeof value === 'bigint' ? String(value) : value)) ?? ''),
);

/** Reads, plays back, and shows everything, as the panel does. */
function shownRows(text: string): number {
	const timeline = played(text);
	const outline = new Outline(timeline);
	outline.foldAll(true);
	outline.refresh();
	outline.setFilter({ ...outline.filter, text: 'a', show: 'all' });
	outline.refresh();
	for (const { clock } of timeline.registry.calls) {
		expect(clock.serverTime).toBeGreaterThanOrEqual(0);
	}
	for (const { message } of timeline.trace.entries) {
		describeMessage(message);
	}
	exportOf(timeline);
	return outline.rows(0, outline.size).length;
}

describe('reading a recording', () => {
	it('gives the messages in the order in which they were recorded, whatever the order of the lines', () => {
		fc.assert(
			fc.property(fc.shuffledSubarray(LINES, { minLength: LINES.length }), (lines) => {
				expect(read(lines.join('\n')).messages).toEqual(read(TEXT).messages);
			}),
			{ numRuns: runs(500) },
		);
	});

	it('gives each message once where exports that overlap were put into one file', () => {
		const { messages } = read(TEXT);
		expect(read(`${LINES.slice(0, 3).join('\n')}\n${TEXT}`).messages).toEqual(messages);
		expect(read(LINES.flatMap((each) => [each, each]).join('\n')).messages).toEqual(messages);
		expect(shownRows(`${TEXT}\n${TEXT}`)).toEqual(shownRows(TEXT));
	});

	it('keeps messages that are alike where nothing tells their lines apart', () => {
		const text = JSON.stringify({ server: 's', direction: 'received', message: { method: 'notifications/progress' } });
		expect(read(`${text}\n${text}`).messages).toHaveLength(2);
	});

	it('never throws, whatever the lines are', () => {
		fc.assert(
			fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
				const { messages, unreadable, cutOff } = read(lines.join('\n'));
				expect(messages.length + unreadable + Number(cutOff)).toBeLessThanOrEqual(lines.length + 30);
				shownRows(lines.join('\n'));
			}),
			{ numRuns: runs(5_000) },
		);
	});

	it('never throws, whichever value of a line is replaced', () => {
		const polled = recording(
			called(1),
			ended(1, { task: { taskId: 'one', status: 'working', statusMessage: 'm' } }),
			ended(2, { tools: [{ name: 'deploy', inputSchema: { type: 'object' } }] }),
			['sent', { id: 3, method: 'tasks/result', params: { taskId: 'one' } }],
			failed(3, { code: -32000, message: 'failed', data: { elicitations: [{ mode: 'url' }] } }),
		);
		for (const lines of [LINES, polled.trimEnd().split('\n')]) {
			for (const [at, line] of lines.entries()) {
				for (const by of HOSTILE_VALUES) {
					for (const copy of replaced(JSON.parse(line), by)) {
						shownRows(lines.with(at, JSON.stringify(copy)).join('\n'));
					}
				}
			}
		}
	});

	it('never throws on random bytes', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
				expect(readRecording(bytes).messages).toEqual([]);
			}),
			{ numRuns: runs(2_000) },
		);
	});

	it('keeps every whole message of a file that was cut anywhere, and tells that it was', () => {
		fc.assert(
			fc.property(fc.nat(TEXT.length - 1), (length) => {
				const cut = TEXT.slice(0, length);
				const whole = LINES.filter((_, at) => cut.startsWith(LINES.slice(0, at + 1).join('\n')));
				const { messages, unreadable, cutOff } = read(cut);
				expect(messages).toHaveLength(whole.length);
				expect(unreadable).toBe(0);
				expect(cutOff).toBe(cut.slice(whole.join('\n').length).trim() !== '');
				shownRows(cut);
			}),
			{ numRuns: runs(2_000) },
		);
	});

	it('gives each message whole, however long the lines are and however many bytes their characters take', () => {
		const texts = fc.array(
			fc.tuple(fc.constantFrom('a', 'é', '‹', '😀'), fc.nat(40_000)).map(([each, count]) => each.repeat(count)),
			{ maxLength: 12 },
		);
		fc.assert(
			fc.property(texts, fc.constantFrom('\n', '\r\n', '\n\uFEFF'), fc.boolean(), (all, newline, ends) => {
				const lines = all.map((text, seq) =>
					JSON.stringify({ seq, server: 's', direction: 'sent', message: { method: text } }),
				);
				const { messages, ...rest } = read(`${lines.join(newline)}${ends ? newline : ''}`);
				expect(messages.map(({ message }) => message['method'])).toEqual(all);
				expect(rest).toEqual({ unreadable: 0, cutOff: false, sorted: true });
			}),
			{ numRuns: runs(100) },
		);
	});

	it('counts lines that hold no message', () => {
		const text = `\uFEFF${LINES[0]}\r\n\n{"direction":"sent"}\nnot JSON\n${LINES[3]}\n`;
		expect(read(text)).toMatchObject({ messages: { length: 2 }, unreadable: 2, cutOff: false });
	});

	it('skips lines that are too long or nested too deeply', () => {
		const deep = `{"server":"s","direction":"sent","message":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`;
		const long = `{"server":"s","direction":"sent","message":{"a":"${'x'.repeat(9 * 1024 * 1024)}"}}`;
		expect(read([deep, long, LINES[0]].join('\n'))).toMatchObject({ messages: { length: 1 }, unreadable: 2 });
	});
});
