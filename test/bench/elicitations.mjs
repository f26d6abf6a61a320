// @ts-check
/**
 * 10,000 answered elicitations through the whole stack - connection, trace, registry, validation in its worker - compared with a
 * bare client of the SDK in the same process; and what memory they leave behind.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { tell } from '../harness/process.mjs';
import { bundle, connect, interviewer } from './bundles.mjs';
import { median } from './report.mjs';

/** @typedef {import('./bundles.mjs').Era} Era */
/** @typedef {Record<string, string | number>} Content */

/**
 * One client with its own server.
 * @typedef {object} Subject
 * @property {(args: Record<string, number>) => Promise<any>} call calls the tool; resolves to its structured content
 * @property {() => void} forget what a person does who clears the timeline
 * @property {() => Promise<void>} close
 */

const TOTAL = 10_000;
/** The clients take turns, so that a machine that is busy for a while is so for both. */
const TURNS = 20;
const PER_CALL = 100;
const MEGABYTE = 1024 * 1024;

setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collectGarbage = runInNewContext('gc');

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default async function elicitationBenchmarks() {
	const folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-bench-'));
	try {
		await bundle(folder);
		const rows = [];
		for (const era of /** @type {const} */ (['sessions', 'rounds'])) {
			rows.push(await throughput(folder, era, 1), await throughput(folder, era, 8), ...(await memory(folder, era)));
		}
		return rows;
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/**
 * @param {string} folder
 * @param {Era} era
 * @param {number} atOnce
 * @returns {Promise<import('./report.mjs').Row>}
 */
async function throughput(folder, era, atOnce) {
	const bare = await bareClient(era);
	const ours = await product(folder, era);
	/** @type {Map<Subject, number[]>} */
	const rates = new Map([
		[bare, []],
		[ours, []],
	]);
	try {
		for (let turn = 0; turn <= TURNS; turn++) {
			tell(`elicitations: ${era}, ${atOnce} at once, turn ${turn} of ${TURNS}`);
			for (const [subject, measured] of rates) {
				const start = performance.now();
				await elicit(subject, era, atOnce, TOTAL / TURNS);
				measured.push((1000 * TOTAL) / TURNS / (performance.now() - start));
			}
		}
	} finally {
		await Promise.all([bare.close(), ours.close()]);
	}
	// The first turn has to warm up what all later ones share.
	const [baseline, value] = [bare, ours].map((subject) => median((rates.get(subject) ?? []).slice(1)));
	return {
		name: `elicitations per second, ${era}, ${atOnce} at once`,
		value: Number(value),
		baseline: Number(baseline),
		baselineName: 'bare SDK client',
		goal: 'ratio ≥ 0.85',
	};
}

/**
 * @param {string} folder
 * @param {Era} era
 * @returns {Promise<import('./report.mjs').Row[]>}
 */
async function memory(folder, era) {
	tell(`elicitations: ${era}, memory`);
	const subject = await product(folder, era);
	try {
		await elicit(subject, era, 8, TOTAL / TURNS);
		subject.forget();
		const before = await memoryInUse();
		await elicit(subject, era, 8, TOTAL);
		const full = (await memoryInUse()) - before;
		subject.forget();
		const cleared = (await memoryInUse()) - before;
		return [
			{ name: `MB kept after ${TOTAL}, ${era}, timeline full`, value: full, goal: '≤ 10' },
			{ name: `MB kept after ${TOTAL}, ${era}, timeline cleared`, value: cleared, goal: '≤ 10' },
		];
	} finally {
		await subject.close();
	}
}

/** What this process holds once nothing can be collected any more. */
async function memoryInUse() {
	for (let times = 0; times < 3; times++) {
		await new Promise((resolve) => setImmediate(resolve));
		collectGarbage();
	}
	const { heapUsed, external } = process.memoryUsage();
	return (heapUsed + external) / MEGABYTE;
}

/**
 * Has the subject asked `count` times, `atOnce` at a time; throws unless every answer arrived and was right.
 * @param {Subject} subject
 * @param {Era} era
 * @param {number} atOnce
 * @param {number} count
 */
async function elicit(subject, era, atOnce, count) {
	let accepted = 0;
	const call = async (/** @type {Record<string, number>} */ args) => {
		const result = await subject.call(args);
		accepted += result.accepted;
	};
	if (era === 'sessions') {
		for (let asked = 0; asked < count; asked += PER_CALL) {
			await call({ elicitations: PER_CALL, atOnce });
		}
	} else {
		let called = 0;
		const callAgain = async () => {
			while (called++ < count) {
				await call({});
			}
		};
		await Promise.all(Array.from({ length: atOnce }, callAgain));
	}
	if (accepted !== count) {
		throw new Error(`${accepted} of ${count} answers arrived.`);
	}
}

/**
 * No two answers are the same, as no two forms are filled in the same way.
 * @param {string} message
 * @returns {Content}
 */
function answerTo(message) {
	const number = Number(/\d+/.exec(message));
	return { name: `Person ${number}`, email: `person.${number}@example.com`, size: 'M', amount: number };
}

/**
 * @param {Era} era
 * @returns {Promise<Subject>}
 */
async function bareClient(era) {
	const client = new Client(
		{ name: 'bare', version: '1.0.0' },
		{
			capabilities: { elicitation: { form: {} } },
			versionNegotiation: { mode: era === 'sessions' ? 'legacy' : { pin: '2026-07-28' } },
		},
	);
	client.setRequestHandler('elicitation/create', ({ params }) => ({
		action: 'accept',
		content: answerTo(params.message),
	}));
	await client.connect(new StdioClientTransport(interviewer(era)));
	return {
		call: async (args) => (await client.callTool({ name: 'interview', arguments: args })).structuredContent,
		forget: () => {},
		close: () => client.close(),
	};
}

/**
 * What an editor's surfaces do is done by a listener that accepts every elicitation at once.
 * @param {string} folder
 * @param {Era} era
 * @returns {Promise<Subject>}
 */
async function product(folder, era) {
	const { connection, registry, trace, close } = await connect(folder, interviewer(era));
	registry.onDidAsk((elicitation) => void registry.accept(elicitation, answerTo(elicitation.request.message)));
	const forget = () => {
		trace.clear();
		registry.forgetEnded();
	};
	return {
		call: async (args) => (await connection.callTool('interview', args))['structuredContent'],
		forget,
		close: async () => {
			await close();
			forget();
		},
	};
}
