import { createInterface } from 'node:readline';
import { Demo } from './demo.ts';

const demo = new Demo((message) => process.stdout.write(`${JSON.stringify(message)}\n`));

// One message stands on each line.
createInterface({ input: process.stdin })
	.on('line', (line) => demo.receive(parsed(line)))
	.on('close', () => demo.close());
// A client that is gone reads nothing; its closing stdin ends the demo.
process.stdout.on('error', () => {});

function parsed(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}
