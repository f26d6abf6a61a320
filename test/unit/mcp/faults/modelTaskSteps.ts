import { related } from '../tasks/taskFixtures.ts';
import { InProcessTask, type TaskEnd } from './inProcessTask.ts';
import { type Asked, answerCall, type CallModel, paramsOf, pick, type Run, type Step } from './model.ts';

/** The tasks that the server still works on. */
const open = (run: Run) => run.withTask.filter(({ task }) => task && !task.end);

/** A step of a task that the server still works on. */
const inTask =
	(step: (run: Run, model: CallModel, task: InProcessTask, at: number) => unknown): Step =>
	(run, at) => {
		const model = pick(open(run), at);
		return model?.task && step(run, model, model.task, at);
	};

/** The server and its client lose sight of a task. */
export function forgetTask(model: CallModel): void {
	if (model.task) {
		model.task.closed = true;
		model.mustCancel &&= model.task.cancellations > 0;
	}
}

/** Asks in a task: on the stream of its result, on the own stream of the server, or in its next report. */
const ask = (mode: Asked['mode']): Step =>
	inTask((run, model, task, at) => {
		const id = run.newId();
		const params = paramsOf(mode, id);
		const announced = { id, mode, on: undefined, calls: [model], task };
		if (run.server.modern) {
			task.inputRequests.set(id, { method: 'elicitation/create', params });
			run.announced.push({ ...announced, how: 'task' });
			return;
		}
		const request = { id, method: 'elicitation/create', params: related(task.id, params) };
		const { listening } = task;
		if (at % 3 > 0 && listening?.stream.open) {
			listening.stream.send({ ...request });
		} else if (!run.server.send(request)) return;
		run.note({ ...announced, how: 'request' });
	});

const end = (status: TaskEnd): Step =>
	inTask((_run, _model, task, at) => {
		task.end = status;
		task.holdsResult = at % 2 === 1;
		if (!task.holdsResult) task.answer();
	});

/** What happens to calls that run as tasks. */
export const taskSteps: Record<string, Step> = {
	createTask: (run, at) => {
		const { server } = run;
		const model = pick(
			run.calls.filter(({ n }) => server.calls.get(n)?.stream.open && server.calls.get(n)?.mayBeTask),
			at,
		);
		if (!model) return;
		const task = new InProcessTask(`task-${run.tasks.length}`, server.modern);
		run.tasks.push(task);
		server.tasks.set(task.id, task);
		model.task = task;
		// The client has canceled the call before it knew the task.
		model.mustCancel = model.call?.state !== 'running';
		const created = task.report();
		answerCall(run, model.n, { result: server.modern ? { ...created, resultType: 'task' } : { task: created } });
	},
	askFormInTask: ask('form'),
	askUrlInTask: ask('url'),
	requireInput: inTask(({ server }, _model, task) => {
		task.requiresInput = !server.modern && !task.requiresInput;
	}),
	withdrawInTask: inTask((run, _model, task, at) => {
		const key = pick([...task.inputRequests.keys()], at);
		if (key === undefined) return;
		task.inputRequests.delete(key);
		run.announced = run.announced.filter(({ id }) => id !== key);
	}),
	useResponses: inTask(({ server }, _model, task) => {
		for (const key of task.inputRequests.keys()) if (server.responses.has(key)) task.inputRequests.delete(key);
	}),
	completeTask: end('completed'),
	failTask: end('failed'),
	cancelTask: end('cancelled'),
	giveResult: (run, at) => {
		const { task } = pick(run.withTask, at) ?? {};
		if (!task?.end) return;
		task.holdsResult = false;
		task.answer();
	},
	requireUrlInTask: inTask((run, model, task) => {
		if (run.server.modern) return;
		const id = run.newId();
		task.error = { code: -32042, message: 'Visit this.', data: { elicitations: [paramsOf('url', id)] } };
		task.end = 'failed';
		task.onError = () => run.note({ id, how: 'required', mode: 'url', on: undefined, calls: [model], task: undefined });
		task.answer();
	}),
	reportTask: (run, at) => {
		const { task } = pick(run.withTask, at) ?? {};
		if (!task || !run.server.own?.open) return;
		run.server.send({ method: 'notifications/tasks/status', params: task.report() });
	},
	changeInterval: inTask((_run, _model, task) => {
		task.interval = task.interval === 5_000 ? 1_000 : 5_000;
	}),
	cutResult: (run, at) => pick(run.withTask, at)?.task?.listening?.stream.cut(),
	refusePolls: ({ server }) => server.pollRefusals.push({ status: 503 }, { status: 'broken' }),
};
