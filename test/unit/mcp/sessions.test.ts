import { describe, expect, it } from 'vitest';
import { HttpPuppet } from '../../puppet/http.ts';
import { stage } from '../faults/stage.ts';
import { worlds } from './world.ts';

const world = worlds();

/** The server has forgotten every session that has begun before. */
function forget(puppet: HttpPuppet): void {
	puppet.session = `${puppet.session}'`;
	const known = puppet.session;
	puppet.refusePosts = (message, headers) =>
		message.method !== 'initialize' && headers['mcp-session-id'] !== known ? { status: 404 } : undefined;
}

describe('an HTTP session that the server has forgotten', () => {
	it('is begun anew for the call that finds out, which is sent once more, and once only', async () => {
		const here = world();
		const { puppet, connection } = await stage(here, HttpPuppet.open);
		forget(puppet);
		const calling = connection.callTool('act', { n: 1 });
		puppet.finish(await puppet.expect('tools/call'), { renewed: true });
		expect(await calling).toMatchObject({ structuredContent: { renewed: true } });
		expect(puppet.requests('tools/call')).toHaveLength(1);
		expect(puppet.requests('initialize')).toHaveLength(2);
		expect(connection.state).toBe('running');
		expect(here.registry.calls.map(({ state }) => state)).toEqual(['succeeded']);
	});

	it('is begun anew once for all the calls that find out at the same time', async () => {
		const here = world();
		const { puppet, connection } = await stage(here, HttpPuppet.open);
		forget(puppet);
		const calls = [1, 2, 3].map((n) => connection.callTool('act', { n }));
		for (let answered = 0; answered < 3; answered++) {
			const call = await puppet.expect('tools/call');
			puppet.finish(call, call.params.arguments);
		}
		expect((await Promise.all(calls)).map(({ structuredContent }) => structuredContent)).toEqual([
			{ n: 1 },
			{ n: 2 },
			{ n: 3 },
		]);
		expect(puppet.requests('initialize')).toHaveLength(2);
	});

	it('fails the call in words when the server forgets the new one as well: there is no third', async () => {
		const here = world();
		const { puppet, connection } = await stage(here, HttpPuppet.open);
		puppet.refusePosts = ({ method }) => (method === 'tools/call' ? { status: 404 } : undefined);
		await expect(connection.callTool('act', {})).rejects.toThrow(/^puppet: .* answered with HTTP status 404\. /);
		expect(puppet.requests('initialize')).toHaveLength(2);
	});
});
