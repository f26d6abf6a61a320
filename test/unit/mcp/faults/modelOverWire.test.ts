import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Elicitation } from '../../../../src/elicitation/elicitation.ts';
import type { Connection } from '../../../../src/mcp/index.ts';
import { runs } from '../../../nightly.ts';
import { LEGACY, type PendingRequest } from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { define, type TestClient, testClients, type Wire } from '../testClient.ts';

/* A smaller version of model.test.ts over stdio, with real processes, pipes, and time. */

interface Asked {
	readonly sent: PendingRequest;
	readonly elicitation: Elicitation;
	/** Canceled, or its process is gone: a response is optional. */
	gone: boolean;
	said: string | undefined;
}

interface CallModel {
	readonly abort: AbortController;
	readonly request: Wire;
	readonly settled: Promise<unknown>;
	running: boolean;
}

class Run {
	readonly asked: Asked[] = [];
	readonly calls: CallModel[] = [];

	constructor(
		readonly here: TestClient,
		readonly rawServer: RawStdioServer,
		readonly connection: Connection,
	) {}

	get running(): CallModel[] {
		return this.calls.filter(({ running }) => running);
	}

	async finish(): Promise<void> {
		for (const asked of this.asked) {
			// Canceled together with its calls (D03).
			if (asked.elicitation.state === 'cancelled') asked.said ??= 'cancel';
			if (asked.elicitation.decline()) asked.said = 'decline';
		}
		for (const call of this.running) this.rawServer.finish(call.request);
		await Promise.all(this.calls.map(({ settled }) => settled));
		for (const { elicitation } of this.asked) {
			await this.here.until(() => elicitation.delivery?.state !== 'sending');
		}
		await this.rawServer.fence();
		for (const { sent, said, gone } of this.asked) {
			const responses = this.rawServer.responses(sent.id).map(({ result }) => result.action);
			expect(gone && responses.length === 0 ? [said] : responses).toEqual([said]);
		}
		await this.connection.stop();
		expect(this.here.registry.live).toEqual([]);
		expect(this.here.registry.unsent).toEqual([]);
	}
}

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length];

const undecided = ({ asked }: Run, at: number) =>
	pick(
		asked.filter(({ elicitation }) => elicitation.undecided),
		at,
	);

type Step = (run: Run, at: number) => Promise<unknown> | unknown;

const ask =
	(mode: 'form' | 'url'): Step =>
	async (run) => {
		const message = `elicitation ${run.asked.length}`;
		const params =
			mode === 'form'
				? { message, requestedSchema: { type: 'object', properties: {} } }
				: { mode, message, url: 'https://example.com/in', elicitationId: message };
		const sent = run.rawServer.ask(params, undefined, `${run.rawServer.received.length} ${message}`);
		const { registry } = run.here;
		const find = () => registry.live.find(({ request }) => request.message === message);
		run.asked.push({ sent, elicitation: await run.here.until(find), gone: false, said: undefined });
	};

const act =
	(said: 'accept' | 'decline' | 'cancel'): Step =>
	async (run, at) => {
		const asked = undecided(run, at);
		if (!asked) return;
		asked.said = said;
		const { elicitation } = asked;
		if (said !== 'accept') elicitation[said]();
		else if (elicitation.request.mode === 'url') elicitation.opened();
		else await run.here.registry.accept(elicitation, {});
	};

const steps: Record<string, Step> = {
	call: async (run) => {
		const abort = new AbortController();
		const settled = run.connection.callTool('act', {}, { signal: abort.signal }).catch(() => {});
		run.calls.push({ abort, settled, request: await run.rawServer.expect('tools/call'), running: true });
	},
	askForm: ask('form'),
	askUrl: ask('url'),
	accept: act('accept'),
	decline: act('decline'),
	cancel: act('cancel'),
	cancelCall: async (run, at) => {
		const call = pick(run.running, at);
		if (!call) return;
		call.running = false;
		call.abort.abort(new Error('by hand'));
		await call.settled;
	},
	finishCall: async (run, at) => {
		const call = pick(run.running, at);
		if (!call) return;
		call.running = false;
		run.rawServer.finish(call.request);
		await call.settled;
	},
	cancelRequest: async (run, at) => {
		const asked = undecided(run, at);
		if (!asked) return;
		asked.gone = true;
		run.rawServer.notify('notifications/cancelled', { requestId: asked.sent.id });
		await asked.elicitation.ended;
	},
	progress: (run, at) => {
		const { request } = pick(run.running, at) ?? {};
		const progressToken = request?.params._meta?.progressToken;
		if (progressToken !== undefined) {
			run.rawServer.notify('notifications/progress', { progressToken, progress: 1 }, request);
		}
	},
	changeList: ({ rawServer }) => rawServer.notify('notifications/tools/list_changed'),
	/** Ends the process, and starts it again. */
	lose: async ({ here, rawServer, connection, asked, running }) => {
		for (const each of asked) each.gone ||= each.elicitation.live || each.elicitation.delivery?.open === true;
		for (const call of running) call.running = false;
		await rawServer.die();
		await Promise.all(running.map(({ settled }) => settled));
		await here.until(() => connection.state !== 'running');
		await connection.start();
	},
};

const script = fc.array(
	fc.tuple(
		fc.oneof(
			...Object.keys(steps).map((name) => ({
				weight: name === 'lose' ? 1 : name.startsWith('ask') || name === 'call' ? 8 : 4,
				arbitrary: fc.constant(name),
			})),
		),
		fc.nat(5),
	),
	{ maxLength: 25, size: 'max' },
);

const world = testClients();

it('over stdio, too, every request is responded to once, whatever happens in whichever order (A02, D01, D03)', async () => {
	const here = world();
	await fc.assert(
		fc.asyncProperty(script, async (drawn) => {
			const rawServer = await RawStdioServer.open({ revision: LEGACY });
			const connection = await here.connect(define('raw-server', rawServer.definition));
			try {
				const run = new Run(here, rawServer, connection);
				for (const [name, at] of [['call', 0] as const, ...drawn]) await steps[name]?.(run, at);
				await run.finish();
			} finally {
				await connection.stop();
				await rawServer.close();
				here.registry.forgetEnded();
			}
		}),
		{ numRuns: runs(100, 30), endOnFailure: true },
	);
});
