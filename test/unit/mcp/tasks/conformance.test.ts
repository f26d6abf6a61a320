import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { define, type Listening, listening, type TestClient, testClients, testServer } from '../testClient.ts';

const world = testClients();
let server: Listening;

beforeAll(async () => {
	server = await listening(testServer('conformanceTasks.mjs'));
});
afterAll(() => server.stop());

const connect = (here: TestClient) => here.connect(define('conformance', { url: server.url }));

const textOf = (result: unknown) => JSON.stringify(result);

describe('with the server that passes the `tasks-*` scenarios of the conformance suite', () => {
	it('a call gets its result, whether it runs as a task or not, and what the tool says of its failure (K10, K11)', async () => {
		const here = world();
		const connection = await connect(here);
		const [greeting, sum, failure] = await Promise.all([
			connection.callTool('greet', { name: 'Ada' }),
			connection.callTool('slow_compute', { seconds: 0.2, label: 'a sum' }),
			connection.callTool('failing_job', {}),
		]);
		expect(textOf(greeting)).toContain('Hello, Ada!');
		expect(textOf(sum)).toContain('Computed a sum');
		expect(failure).toMatchObject({ isError: true });
		await expect(connection.callTool('protocol_error_job', {})).rejects.toThrow('The job crashed.');
		expect(here.registry.calls.map(({ name, state, task }) => [name, state, task?.status])).toEqual([
			['greet', 'succeeded', undefined],
			['slow_compute', 'succeeded', 'completed'],
			['failing_job', 'succeeded', 'completed'],
			['protocol_error_job', 'failed', 'failed'],
		]);
	});

	it('each request of a task is shown once, and each response is sent as it is given (K12, K13, K14)', async () => {
		const here = world();
		const connection = await connect(here);
		const deleting = connection.callTool('confirm_delete', { filename: 'old.txt' });
		await here.registry.accept((await here.asked())[0], { confirm: true });
		expect(textOf(await deleting)).toContain('old.txt: {\\"action\\":\\"accept\\",\\"content\\":{\\"confirm\\":true}}');
		const asking = connection.callTool('multi_input', {});
		const [name, age] = await here.asked(2);
		name.decline();
		const updates = () => here.wire('sent', ({ method }) => method === 'tasks/update').slice(1);
		await here.until(() => name.delivery?.state === 'delivered');
		expect(updates()).toHaveLength(1);
		expect(here.registry.live).toEqual([age]);
		await here.registry.accept(age as never, { age: 36 });
		expect(textOf(await asking)).toContain('\\"age\\":36');
		expect(updates().map(({ params }) => Object.keys(params.inputResponses).length)).toEqual([1, 1]);
		expect(here.registry.elicitations).toHaveLength(3);
	});

	it('a round may come before the task (K18)', async () => {
		const here = world();
		const connection = await connect(here);
		const calling = connection.callTool('test_tool_with_task', {});
		await here.registry.accept((await here.asked())[0], { name: 'Ada' });
		expect(textOf(await calling)).toContain('Done for Ada.');
		expect(here.registry.calls[0]).toMatchObject({ rounds: 2, task: { status: 'completed' } });
	});

	it('a call ends at once when it is canceled, and so does its task (K15)', async () => {
		const here = world();
		const connection = await connect(here);
		const abort = new AbortController();
		const calling = connection.callTool('slow_compute', { seconds: 60 }, { signal: abort.signal });
		const task = await here.until(() => here.registry.calls[0]?.task);
		abort.abort(new Error('Enough.'));
		await expect(calling).rejects.toThrow('Enough.');
		await here.until(() => here.wire('sent', ({ method }) => method === 'tasks/cancel').length > 0);
		const [cancel] = here.wire('sent', ({ method }) => method === 'tasks/cancel');
		expect(cancel.params.taskId).toBe(task.id);
		await here.until(() => here.wire('received', ({ id }) => id === cancel.id).length > 0);
		expect(here.wire('received', ({ id }) => id === cancel.id)).toMatchObject([{ result: { resultType: 'complete' } }]);
	});

	it('a tool that needs tasks says so where they are turned off, and the others run without (K10)', async () => {
		const here = world();
		here.tasks = 'never';
		const connection = await connect(here);
		expect(textOf(await connection.callTool('slow_compute', { seconds: 0 }))).toContain('Computed');
		await expect(connection.callTool('failing_job', {})).rejects.toThrow('mcpElicitation.tasks');
		expect(here.wire('sent', ({ method }) => /^tasks\//.test(method))).toEqual([]);
	});
});
