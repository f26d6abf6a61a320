// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { FORCED_RESPONDER } from '../../../src/elicitation/forced.ts';
import type { Json } from '../../../src/elicitation/json.ts';
import { english, localizable } from '../../../src/elicitation/sentence.ts';
import { Redactor } from '../../../src/privacy/redactor.ts';
import { htmlReport } from '../../../src/trace/htmlReport.ts';
import type { Direction } from '../../../src/trace/log.ts';
import { Outline } from '../../../src/trace/outline.ts';
import { Timeline } from '../../../src/trace/timeline.ts';
import { World } from '../elicitation/world.ts';
import { linesOf, logOf, maskedLog, toJsonLines } from '../privacy/maskedLog.ts';

const evil = '</pre></script><script>document.title = "run"</script><img src=x onerror="document.title = 1">"\'&\u202e';

const words = {
	t: english,
	duration: () => 'server 1 s · you 2 s',
	callState: ({ state }: { state: string }) => state,
	state: ({ state }: { state: string }) => state,
	steps: ({ history }: { history: readonly { state: string; at: number }[] }) =>
		history.map(({ state, at }) => ({ text: state, at })),
};

const planted = {
	masked: 'planted-masked',
	state: 'planted-state',
	token: 'planted-token',
	header: 'planted-header',
	known: 'planted-known',
};

/** A window with a call of two rounds that asks for secrets, with these texts from the server. */
function world(text: string, secrets: typeof planted) {
	const { registry } = new World();
	const trace = maskedLog(() => 1_000);
	trace.privacy.configured.add([secrets.known]);
	const message = `${text} ${secrets.known}`;
	const door = { type: 'string', format: 'password', title: text };
	const params: Json = {
		message,
		requestedSchema: { type: 'object', properties: { door, name: { type: 'string' } } },
	};
	const call = registry.beginCall('s', 'tool', text, { [text]: text, apiToken: secrets.token });
	const say = (direction: Direction, told: object) => trace.add({ server: text, direction, call, message: told });
	const origin = { server: text, connection: 'c', calls: [call], params } as const;
	say('sent', { id: 1, method: 'tools/call', params: { name: text, arguments: call.args } });
	call.rounds = 2;
	const inputRequests = { it: { method: 'elicitation/create', params } };
	say('received', { id: 1, result: { resultType: 'input_required', requestState: secrets.state, inputRequests } });
	const elicitation = registry.add(
		{ mode: 'form', message, requestedSchema: {} },
		{ ...origin, intake: 'inputRequired', revision: '2025-06-18' },
	);
	const content = { door: secrets.masked, name: 'Ada' };
	elicitation.accept(content);
	const inputResponses = { it: { action: 'accept', content } };
	say('sent', { id: 2, method: 'tools/call', params: { name: text, requestState: secrets.state, inputResponses } });
	const said = `${text} ${secrets.masked}\nAuthorization: Bearer ${secrets.header}`;
	say('received', { id: 2, result: { content: [{ type: 'text', text: said }] } });
	registry.endCall(call, 'succeeded', null);
	const outside = { method: text, params: { text: secrets.known } };
	trace.add({ server: text, direction: 'received', call: undefined, message: outside });
	const url = `https://x/?token=${secrets.token}`;
	registry.add(
		{ mode: 'url', message: text, url },
		{ ...origin, intake: 'request', revision: '2025-11-25', calls: [], params: { url } },
	);
	return { timeline: new Timeline(registry, trace), trace };
}

function reportOf(timeline: Timeline, redact = true): string {
	const outline = new Outline(timeline);
	outline.foldAll(true);
	outline.refresh();
	const redactor = new Redactor(timeline.trace, redact ? 'all' : 'configured');
	const options = { words, language: 'en', nonce: 'abc123', redactor, messages: timeline.trace.length };
	return [...htmlReport(outline.rows(0, outline.size), options)].join('');
}

function parsed(html: string): Document {
	return new DOMParser().parseFromString(html, 'text/html');
}

describe('an export', () => {
	it('holds none of the planted secrets, as JSON Lines and as a page: headers, environment, tokens, masked fields, requestState', () => {
		const { timeline, trace } = world('hello', planted);
		for (const text of [toJsonLines(trace), reportOf(timeline)]) {
			expect(text).not.toContain('planted');
			expect(text).toContain('hello');
			expect(text).toContain('Ada');
		}
	});

	it('holds what was sent when that is wanted, but never what this window keeps secret', () => {
		const { timeline, trace } = world('hello', planted);
		const [lines, page] = [toJsonLines(trace, 'configured'), reportOf(timeline, false)];
		for (const secret of [planted.masked, planted.state, planted.token, planted.header]) {
			expect(lines).toContain(secret);
			expect(page).toContain(secret);
		}
		expect(lines).not.toContain(planted.known);
		expect(page).toContain('contains secrets');
	});
});

describe('what was tried out', () => {
	it('is marked in every export: the call, and an answer that breaks the schema on purpose', async () => {
		const schemaViolation = localizable("Its response does not match the server's schema.");
		const { registry } = new World();
		const trace = maskedLog(() => 1_000);
		const call = registry.beginCall('s', 'tool', 'deploy', {});
		call.trial = localizable('Replay of {0}', 'deploy');
		trace.add({ server: 's', direction: 'sent', call, message: { id: 1, method: 'tools/call' } });
		const elicitation = registry.add(
			{ mode: 'form', message: 'A', requestedSchema: {} },
			{ server: 's', connection: 'c', intake: 'request', revision: '2025-11-25', calls: [call], params: null },
		);
		elicitation.respondFor(FORCED_RESPONDER, () => elicitation.accept({ n: 99 }), schemaViolation);
		expect(linesOf(trace)[0]?.['call']).toEqual({
			id: call.id,
			kind: 'tool',
			name: 'deploy',
			trial: 'Replay of deploy',
			answeredBy: 'forced',
			times: { server: expect.any(Number), person: expect.any(Number), automatic: 0 },
		});
		const { body } = parsed(reportOf(new Timeline(registry, trace)));
		expect(body.querySelector('h2 + .muted')?.textContent).toMatch(/^running · Replay of deploy · /);
		expect(body.querySelector('.elicitation .warning')?.textContent).toBe(schemaViolation.text);
	});
});

describe('the report', () => {
	it('shows every call with its rounds, elicitations and paired messages, and the two times separately', () => {
		const document = parsed(reportOf(world('hello', planted).timeline));
		const texts = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
		expect(texts('h2')).toEqual(['hello s', 'Outside of calls hello']);
		expect(texts('h3')).toEqual(['Round 1', 'Round 2']);
		expect(texts('section:first-of-type .direction + .spoken + span')).toEqual([
			'tools/call #1',
			'input_required #1',
			'tools/call #2',
			'result #2',
		]);
		expect(texts('summary').find((text) => text?.includes('result #2'))).toMatch(/tools\/call · \d+ ms · /);
		expect(texts('.elicitation')).toHaveLength(2);
		expect(texts('.elicitation')[0]).toMatch(/Form · accepted.*asking .* → accepted /s);
		expect(texts('h2 + .muted')[0]).toContain('server 1 s · you 2 s');
		for (const pre of document.querySelectorAll('pre')) {
			expect(() => JSON.parse(pre.textContent ?? '')).not.toThrow();
		}
	});

	it('runs nothing, loads nothing, and shows every text of a server as text', () => {
		const html = reportOf(world(evil, { ...planted, known: 'never' }).timeline);
		const document = parsed(html);
		expect(document.title).toBe('MCP timeline');
		expect(
			document.querySelectorAll('script, img, iframe, object, embed, link, a, form, [onerror], [src], [href], [style]'),
		).toHaveLength(0);
		expect(document.body.textContent).toContain('<script>document.title');
		expect(html).not.toContain('\u202e');
		expect(document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content')).toBe(
			"default-src 'none'; style-src 'nonce-abc123'; base-uri 'none'; form-action 'none'",
		);
		expect(document.querySelector('style')?.textContent).not.toMatch(/url\(|@import/);
	});

	it('is complete if there is nothing to report', () => {
		const { registry } = new World();
		const html = reportOf(new Timeline(registry, logOf()));
		expect(html.endsWith('<main>\n</main>\n</body>\n</html>\n')).toBe(true);
	});
});
