import { expect } from 'vitest';
import { FORGOTTEN, type Refusal } from './inProcess.ts';
import {
	type Asked,
	answerCall,
	type CallModel,
	finishCall,
	paramsOf,
	pick,
	type Run,
	type Step,
	tick,
} from './model.ts';
import { forgetTask, taskSteps } from './modelTaskSteps.ts';

/** Sends an elicitation during a call, as the revision defines it, or outside calls. */
const ask =
	(mode: Asked['mode'], own = false): Step =>
	(run, at) => {
		const on = own ? undefined : pick(run.running, at);
		const id = run.newId();
		const request = { method: 'elicitation/create', params: paramsOf(mode, id) };
		if (run.server.modern && on) {
			answerCall(run, on.n, { result: { resultType: 'input_required', inputRequests: { [id]: request } } });
			run.note({ id, how: 'round', mode, on, calls: [on], task: undefined });
		} else if ((on || own) && run.server.send({ id, ...request }, on?.n)) {
			run.note({ id, how: 'request', mode, on, calls: on ? [on] : run.inFlight, task: undefined });
		}
	};

/** A user action. */
const act =
	(said: 'accept' | 'decline' | 'cancel'): Step =>
	async (run, at) => {
		const open = run.asked.filter((asked) => run.elicitation(asked)?.undecided);
		const asked = pick(open, at);
		const elicitation = asked && run.elicitation(asked);
		if (!asked || !elicitation) return;
		asked.said = said;
		asked.state = said === 'accept' && asked.mode === 'url' ? 'opened' : 'over';
		if (said !== 'accept') elicitation[said]();
		else if (asked.mode === 'url') elicitation.opened();
		else await run.world.registry.accept(elicitation, { said: asked.id });
	};

const refuse =
	(refusal: Refusal, count = 1): Step =>
	({ server }) =>
		server.refusals.push(...Array.from({ length: count }, () => refusal));

/** Calls a tool. */
const call =
	(tool: string): Step =>
	(run) => {
		if (run.running.length > 2 || run.calls.length > 9) return;
		const model: CallModel = {
			...{ n: run.calls.length, abort: new AbortController(), call: undefined, task: undefined, mustCancel: false },
			...{ settled: false, progress: 0, reported: 0 },
		};
		run.calls.push(model);
		run.connection
			.begin({ kind: 'tool', name: tool, args: { n: model.n } }, { signal: model.abort.signal })
			.then(({ call, send }) => {
				model.call = call;
				return send({ signal: model.abort.signal, onProgress: () => model.progress++ });
			})
			.catch(() => {})
			.finally(() => {
				model.settled = true;
			});
	};

export const steps: Record<string, Step> = {
	call: call('act'),
	askForm: ask('form'),
	askUrl: ask('url'),
	requireUrl: (run, at) => {
		const on = pick(run.running, at);
		if (!on || run.server.modern) return;
		const id = run.newId();
		const data = { elicitations: [paramsOf('url', id)] };
		answerCall(run, on.n, { error: { code: -32042, message: 'Visit this.', data } });
		run.note({ id, how: 'required', mode: 'url', on, calls: [on], task: undefined });
	},
	retry: (run, at) => {
		const asked = pick(
			run.asked.filter(({ how, state }) => how === 'required' && state === 'opened'),
			at,
		);
		if (asked && run.elicitation(asked)?.retried()) asked.state = 'over';
	},
	goOn: (run, at) => pick(run.calls, at)?.call?.atRoundLimit?.decide(at % 2 === 0),
	askFormByItself: ask('form', true),
	askUrlByItself: ask('url', true),
	accept: act('accept'),
	decline: act('decline'),
	cancel: act('cancel'),
	sendAgain: (run, at) => pick(run.world.registry.unsent, at)?.delivery?.sendAgain(),
	dismiss: (run, at) => {
		const { delivery, request } = pick(run.world.registry.unsent, at) ?? {};
		const asked = run.asked.find(({ id }) => id === request?.message);
		if (delivery?.canSendAgain && asked) {
			delivery.end();
			asked.dismissed = true;
		}
	},
	cancelCall: (run, at) => {
		const model = pick(run.calls, at);
		if (!model) return;
		model.mustCancel ||= run.withTask.includes(model) && model.task?.over === false;
		model.abort.abort(new Error('by hand'));
	},
	finishCall: (run, at) => {
		const call = pick(run.running, at);
		if (call) finishCall(run, call.n);
	},
	cancelRequest: (run, at) => {
		const asked = pick(
			run.asked.filter((each) => run.owes(each) && each.life === run.server.life),
			at,
		);
		if (!asked) return;
		const notice = { method: 'notifications/cancelled', params: { requestId: asked.id, reason: 'no longer' } };
		if (run.server.send(notice, asked.on?.n) || run.server.send(notice)) {
			asked.cancelled = true;
			asked.state = 'over';
		}
	},
	/** A request that is open comes again, such as from a stream that was resumed. */
	repeatRequest: (run, at) => {
		const asked = pick(
			run.asked.filter(
				({ how, state, task, life, lost }) =>
					how === 'request' && state === 'asking' && !task && !lost && life === run.server.life,
			),
			at,
		);
		if (asked) {
			run.server.send(
				{ id: asked.id, method: 'elicitation/create', params: paramsOf(asked.mode, asked.id) },
				asked.on?.n,
			);
		}
	},
	complete: (run, at) => {
		const pages = run.asked.filter(
			({ mode, state, life }) => mode === 'url' && state !== 'over' && life === run.server.life,
		);
		const asked = pick(pages, at);
		const notice = { method: 'notifications/elicitation/complete', params: { elicitationId: asked?.id } };
		if (asked && run.server.send(notice)) {
			asked.said ??= 'cancel';
			asked.state = 'over';
		}
	},
	progress: (run, at) => {
		const call = pick(run.running, at);
		const progressToken = call && run.server.calls.get(call.n)?.progressToken;
		if (call && progressToken !== undefined) {
			call.reported++;
			run.server.send({ method: 'notifications/progress', params: { progressToken, progress: call.reported } }, call.n);
		}
	},
	changeList: (run) => {
		const tools = ['act', 'long', `tool ${run.asked.length + run.calls.length}`];
		if (run.server.send({ method: 'notifications/tools/list_changed' })) run.server.tools = tools;
	},
	cut: (run, at) => {
		const call = pick(run.running, at);
		if (!call) return;
		for (const asked of run.asked) asked.lost ||= asked.on === call && asked.state !== 'over';
		run.server.calls.get(call.n)?.stream.cut();
	},
	refuse500: refuse({ status: 500 }),
	refuse503: refuse({ status: 503 }, 4),
	refuse429: refuse({ status: 429, wait: 2 }, 2),
	refuse429ForLong: refuse({ status: 429, wait: 600 }),
	breakResponse: refuse({ status: 'broken' }, 2),
	refuse410: refuse({ status: 410 }),
	expire: ({ server }) => server.expire(),
	restart: (run, at) => {
		for (const asked of run.asked) asked.lost ||= asked.state !== 'over' || run.owes(asked);
		for (const model of run.calls) forgetTask(model);
		run.server.restart(at % FORGOTTEN.length);
	},
	refuseCall: ({ server }) => {
		server.refuseCalls = 1;
	},
	cutOwnStream: ({ server }) => server.own?.cut(),
	stop: (run) => {
		for (const asked of run.asked) asked.lost ||= asked.state !== 'over' || run.owes(asked);
		for (const model of run.calls) forgetTask(model);
		void run.connection.stop();
	},
	start: (run) => void run.connection.start().catch(() => {}),
	aMoment: (run) => pass(run, 600),
	aWhile: (run) => pass(run, 20_000),
};

/** Checks that a timeout advances with time or is paused. A poll may bring elicitations meanwhile. */
async function pass(run: Run, ms: number): Promise<void> {
	const turns = () =>
		run.calls.map(({ call }) => [call?.state, call?.clock.asking, run.world.registry.elicitations.length].join());
	const times = () => run.calls.map(({ call }) => call?.clock.serverTime ?? 0);
	const [turnsBefore, timesBefore] = [turns(), times()];
	await tick(ms);
	const [turnsAfter, timesAfter] = [turns(), times()];
	for (const [at, turn] of turnsBefore.entries()) {
		if (turn !== turnsAfter[at]) continue;
		const passed = (timesAfter[at] ?? 0) - (timesBefore[at] ?? 0);
		expect([at, turn, passed]).toEqual([at, turn, turn.startsWith('running,false') ? ms : 0]);
	}
}

/** How often each step is taken, compared to the others. */
export const weights: Readonly<Record<string, number>> = {
	call: 4,
	askForm: 4,
	askUrl: 3,
	askFormByItself: 2,
	accept: 4,
	aMoment: 2,
};

export const stepsWithTasks: Record<string, Step> = { ...steps, callTask: call('long'), ...taskSteps };

export const weightsWithTasks: typeof weights = {
	callTask: 6,
	createTask: 10,
	askFormInTask: 6,
	askUrlInTask: 3,
	requireInput: 4,
	useResponses: 2,
	reportTask: 2,
	accept: 4,
	decline: 2,
	aMoment: 2,
	aWhile: 4,
};
