import { expect, vi } from 'vitest';
import type { Call } from '../../../../src/elicitation/call.ts';
import type { Elicitation } from '../../../../src/elicitation/elicitation.ts';
import { type Connection, Reaper } from '../../../../src/mcp/index.ts';
import { Visitor } from '../../../conformance/visitor.ts';
import type { LEGACY, MODERN } from '../../../rawServer/rawServer.ts';
import { RELATED } from '../tasks/taskFixtures.ts';
import { define, TestClient } from '../testClient.ts';
import { InProcessServer } from './inProcess.ts';
import type { InProcessTask } from './inProcessTask.ts';

/** An elicitation and its expected state. */
export interface Asked {
	readonly id: string;
	/** How it arrived: `elicitation/create`, -32042, `input_required`, or in the report of a task (2026-07-28). */
	readonly how: 'request' | 'required' | 'round' | 'task';
	readonly mode: 'form' | 'url';
	/** The call on whose stream it arrived; `undefined` for the server's own stream. */
	readonly on: CallModel | undefined;
	/** The calls that it may belong to. */
	readonly calls: readonly CallModel[];
	/** The task that it belongs to. */
	readonly task: InProcessTask | undefined;
	readonly life: number;
	state: 'asking' | 'opened' | 'over';
	/** The user's response. */
	said: 'accept' | 'decline' | 'cancel' | undefined;
	/** The server canceled it before the response. */
	cancelled: boolean;
	/** The user discarded the undelivered response. */
	dismissed: boolean;
	/** Its stream or session is gone. */
	lost: boolean;
}

export interface CallModel {
	readonly n: number;
	readonly abort: AbortController;
	call: Call | undefined;
	settled: boolean;
	progress: number;
	/** Progress that the server has sent. */
	reported: number;
	/** The task that it runs as. */
	task: InProcessTask | undefined;
	/** True if the call was canceled while the task ran, so that the server must be told. */
	mustCancel: boolean;
}

/** What the server asks for in a report or result that the client has not got yet. */
export type Announced = Pick<Asked, 'id' | 'how' | 'mode' | 'on' | 'calls' | 'task'>;

/** True if all calls that it may belong to have ended. */
const isOutlived = ({ calls }: Asked) => calls.length > 0 && calls.every(({ call }) => call?.state !== 'running');

/** True if nothing waits for its response any more. */
const isOver = (asked: Asked) => asked.task?.closed || isOutlived(asked);

export class Run {
	readonly server: InProcessServer;
	readonly world = new TestClient(new Reaper('none'));
	readonly asked: Asked[] = [];
	readonly calls: CallModel[] = [];
	/** All tasks, also those of ended calls. */
	readonly tasks: InProcessTask[] = [];
	announced: Announced[] = [];
	connection!: Connection;
	#ids = 0;

	constructor(revision: typeof LEGACY | typeof MODERN) {
		this.server = new InProcessServer(revision);
	}

	async begin(): Promise<void> {
		const visitor = new Visitor();
		visitor.secrets.set('server', this.server.secret);
		this.world.signIn = visitor;
		this.connection = this.world.create(define('server', this.server.definition));
		const starting = this.connection.start();
		await settle();
		await starting;
	}

	/** Calls in progress on both sides. */
	get running(): CallModel[] {
		return this.calls.filter((each) => each.call?.state === 'running' && this.server.calls.get(each.n)?.stream.open);
	}

	/** Calls whose tasks run, also if the client does not know yet that they have ended. */
	get withTask(): CallModel[] {
		return this.calls.filter(({ call, task }) => call?.state === 'running' && task && !task.closed);
	}

	/** Calls that the server may be working on. */
	get inFlight(): CallModel[] {
		return this.calls.filter((each) => this.running.includes(each) || this.withTask.includes(each));
	}

	note(announced: Announced): void {
		const { life } = this.server;
		const nothing = { cancelled: false, dismissed: false, lost: false, said: undefined };
		this.asked.push({ ...announced, ...nothing, life, state: 'asking' });
	}

	newId(): string {
		return `elicitation ${this.#ids++}`;
	}

	elicitation({ id }: Asked): Elicitation | undefined {
		return this.world.registry.elicitations.find(({ request }) => request.message === id);
	}

	responses({ id }: Asked): unknown[] {
		return this.server.responses.get(id) ?? [];
	}

	/** True if a response is due and the server can still receive it. */
	owes(asked: Asked): boolean {
		const { how, task, said } = asked;
		return (
			(how === 'request' || (how === 'task' && said !== undefined && !task?.closed && !isOver(asked))) &&
			!asked.cancelled &&
			!asked.dismissed &&
			!asked.lost &&
			this.responses(asked).length === 0
		);
	}

	/** True if it pauses the timeouts of its calls: the user has to respond, or to act on an undelivered response. */
	holds(asked: Asked): boolean {
		return (
			asked.state === 'asking' ||
			this.owes(asked) ||
			(asked.state === 'opened' && !asked.lost && asked.calls.length === 1)
		);
	}

	/** Updates the elicitations whose calls have ended. */
	follow(): void {
		this.#receive();
		for (const asked of this.asked) {
			if (!isOver(asked) || asked.state === 'over') continue;
			// A task takes its requests along.
			const takenBack = asked.task !== undefined || asked.calls.some(({ call }) => call?.takenBack);
			if (asked.how === 'request' && asked.state === 'asking' && !takenBack) continue;
			if (asked.how === 'request' && asked.state === 'asking') asked.said = 'cancel';
			asked.state = 'over';
		}
	}

	/** Follows what polls have told the client: new requests, and those that the server has withdrawn. */
	#receive(): void {
		const isReceived = ({ id, task }: Announced) => task?.listed.has(id);
		for (const announced of this.announced.filter(isReceived)) this.note(announced);
		this.announced = this.announced.filter((each) => !isReceived(each));
		for (const asked of this.asked) {
			if (asked.how !== 'task' || asked.said !== undefined || asked.task?.listed.has(asked.id)) continue;
			asked.cancelled ||= asked.state === 'asking';
			asked.state = 'over';
		}
	}

	check(): void {
		this.follow();
		for (const { id, violations } of this.tasks) expect([id, ...violations]).toEqual([id]);
		for (const asked of this.asked) {
			const responses = this.responses(asked) as { result?: object }[];
			expect(responses.length, `responses to ${asked.id}`).toBeLessThanOrEqual(1);
			if (asked.cancelled && asked.said === undefined) expect(responses, asked.id).toEqual([]);
			if (responses.length > 0) {
				const content = asked.mode === 'form' && asked.said === 'accept' && { content: { said: asked.id } };
				const meta = asked.how === 'request' && asked.task && { _meta: { [RELATED]: { taskId: asked.task.id } } };
				expect(responses[0]?.result, asked.id).toEqual({ action: asked.said, ...content, ...meta });
			}
			const shown = this.world.registry.elicitations.filter(({ request }) => request.message === asked.id);
			expect(shown.length, `times that ${asked.id} was shown`).toBeLessThanOrEqual(1);
			if (!asked.lost) {
				const live = asked.state !== 'over';
				expect([asked.id, this.elicitation(asked)?.live ?? false]).toEqual([asked.id, live]);
			}
			if (isOutlived(asked))
				expect([asked.id, this.elicitation(asked)?.delivery?.canSendAgain]).not.toEqual([asked.id, true]);
		}
		for (const { n, call, progress, reported } of this.calls) {
			expect(progress, `progress of call ${n}`).toBeLessThanOrEqual(reported);
			// The client may notice a lost message with a delay.
			const mine = this.asked.filter(({ calls }) => calls.some((each) => each.n === n));
			if (call?.state === 'running' && !mine.some(({ lost }) => lost)) {
				const holds = call.atRoundLimit !== undefined || mine.some((each) => this.holds(each));
				expect([n, call.clock.asking]).toEqual([n, holds]);
			}
		}
	}

	/** Completes everything that is pending; then nothing must be left. */
	async finish(): Promise<void> {
		this.server.refusals = [];
		this.server.pollRefusals = [];
		for (let round = 0; round < 3; round++) {
			await tick(9_000);
			for (const { call } of this.calls) call?.atRoundLimit?.decide(false);
			for (const asked of this.asked) {
				const elicitation = this.elicitation(asked);
				if (elicitation?.undecided && elicitation.decline()) {
					asked.said ??= 'decline';
					asked.state = 'over';
				}
				elicitation?.delivery?.sendAgain();
			}
			await settle();
		}
		for (const { n } of this.running) finishCall(this, n);
		const ending = this.withTask;
		for (const { task } of ending) task?.finish();
		// The longest pause between attempts to poll.
		await tick(30_000);
		for (const { n, call } of ending) expect([n, call?.state]).not.toEqual([n, 'running']);
		// The user ends whatever was lost.
		for (const { abort } of this.calls) abort.abort(new Error('The end.'));
		await tick(10_000);
		this.check();
		for (const { n, task, mustCancel } of this.calls) {
			if (mustCancel) expect([n, task?.cancellations]).toEqual([n, 1]);
		}
		for (const { id, listening } of this.tasks) expect([id, listening?.stream.open ?? false]).toEqual([id, false]);
		const { registry } = this.world;
		for (const asked of this.asked) {
			const elicitation = this.elicitation(asked);
			const delivery = elicitation?.delivery?.state;
			expect([asked.id, delivery]).not.toEqual([asked.id, 'sending']);
			if (this.owes(asked)) expect([asked.id, delivery]).toEqual([asked.id, 'undelivered']);
			const takenBack = asked.how === 'round' && asked.calls.some(({ call }) => call?.takenBack);
			const delivers = asked.how !== 'required' && !asked.cancelled && !takenBack;
			if (asked.said === 'accept' && delivers && this.responses(asked).length === 0) {
				expect([asked.id, delivery]).toEqual([asked.id, 'undelivered']);
			}
		}
		expect(this.calls.filter(({ settled }) => !settled)).toEqual([]);
		// A URL elicitation outside calls may stay open indefinitely.
		expect(registry.live.filter(({ state, origin }) => state !== 'opened' || origin.calls.length > 0)).toEqual([]);
		expect(registry.unsent).toEqual([]);
		const tools = this.connection.state === 'running' ? this.server.tools : [];
		expect(this.connection.tools.map(({ name }) => name)).toEqual(tools);
		const stopping = this.world.close();
		await tick(10_000);
		await stopping;
		expect(registry.live).toEqual([]);
		expect(vi.getTimerCount()).toBe(0);
	}
}

const setImmediateReally = setImmediate;

/** Runs all microtasks and immediate callbacks. */
export async function settle(): Promise<void> {
	for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => setImmediateReally(resolve));
}

export async function tick(ms: number): Promise<void> {
	await vi.advanceTimersByTimeAsync(ms);
	await settle();
}

export const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length];

/** Responds to a call, which ends its stream. */
export function answerCall({ server }: Run, n: number, answer: object): void {
	const call = server.calls.get(n);
	server.send({ id: call?.id, ...answer }, n);
	call?.stream.end();
}

export function finishCall(run: Run, n: number): void {
	answerCall(run, n, { result: { ...(run.server.modern && { resultType: 'complete' }), content: [] } });
}

/** One step; `at` selects the call or elicitation if there are several. */
export type Step = (run: Run, at: number) => unknown;

/** The params of an elicitation. Its message is its id. */
export const paramsOf = (mode: Asked['mode'], id: string) =>
	mode === 'form'
		? { message: id, requestedSchema: { type: 'object', properties: { said: { type: 'string' } } } }
		: { mode, message: id, url: `https://example.com/${id.replace(' ', '-')}`, elicitationId: id };
