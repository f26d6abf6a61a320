/**
 * The product's own bridge without an editor, as the official suite's server under test: starts a server, says on a line of its
 * own where it is found, as JSON, and ends with its stdin.
 *   node bridge.mjs <script> [argument…]
 */
import { Bridge } from '../../src/bridge/index.ts';
import { hostOf } from '../unit/bridge/host.ts';
import { connect } from './connection.ts';

run().catch((error) => {
	console.error(error);
	process.exit(1);
});

async function run(): Promise<void> {
	const connection = await connect({ command: process.execPath, args: process.argv.slice(2) });
	const bridge = new Bridge(hostOf(connection));
	await bridge.offer([connection.name]);
	console.log(JSON.stringify(await bridge.endpoint(connection.name)));
	for await (const _ of process.stdin) {
		// Nothing is said to it.
	}
	await bridge.close();
	await connection.stop();
	process.exit(0);
}
