// @ts-check
/**
 * 10,000 answered elicitations through the whole stack - connection, trace, registry, validation in its worker - compared with a
 * bare client of the SDK in the same process; and what memory they leave behind.
 */
import { tell } from '../harness/process.mjs';
import { bareClient, connect, interviewer, withBundles } from './bundles.mjs';
import { collectGarbage, inTurns, median, TURNS } from './report.mjs';

/** @typedef {import('./bundles.mjs').Era} Era */

/**
 * One client with its own server.
 * @typedef {object} Subject
 * @property {(args: Record<string, number>) => Promise<any>} call calls the tool; resolves to its structured content
 * @property {() => void} forget what a person does who clears the timeline
 * @property {() => Promise<void>} close
 */

const TOTAL = 10_000;
const PER_TURN = TOTAL / TURNS;
const PER_CALL = 100;
const MEGABYTE = 1024 * 1024;

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default () =>
	withBundles(async (folder) => {
		const rows = [];
		for (const era of /** @type {const} */ (['sessions', 'rounds'])) {
			rows.push(await throughput(folder, era, 1), await throughput(folder, era, 8), ...(await memory(folder, era)));
		}
		return rows;
	});

/**
 * @param {string} folder
 * @param {Era} era
 * @param {number} atOnce
 * @returns {Promise<import('./report.mjs').Row>}
 */
async function throughput(folder, era, atOnce) {
	const [bare, ours] = [await bareSubject(era), await product(folder, era)];
	const rateOf = async (/** @type {Subject} */ subject) => {
		const start = performance.now();
		await elicit(subject, era, atOnce, PER_TURN);
		return (1000 * PER_TURN) / (performance.now() - start);
	};
	try {
		const rates = await inTurns(`elicitations, ${era}, ${atOnce} at once`, TURNS, {
			bare: () => rateOf(bare),
			ours: () => rateOf(ours),
		});
		const baseline = /** @type {const} */ ([median(rates.bare), 'bare SDK client']);
		return [`elicitations per second, ${era}, ${atOnce} at once`, median(rates.ours), baseline, 'ratio ≥ 0.85'];
	} finally {
		await Promise.all([bare.close(), ours.close()]);
	}
}

/**
 * @param {string} folder
 * @param {Era} era
 * @returns {Promise<import('./report.mjs').Row[]>}
 */
async function memory(folder, era) {
	tell(`elicitations, ${era}: memory`);
	const subject = await product(folder, era);
	try {
		await elicit(subject, era, 8, PER_TURN);
		subject.forget();
		const before = await memoryInUse();
		await elicit(subject, era, 8, TOTAL);
		const full = (await memoryInUse()) - before;
		subject.forget();
		const cleared = (await memoryInUse()) - before;
		return [
			[`MB kept after ${TOTAL}, ${era}, timeline full`, full, undefined, '≤ 10'],
			[`MB kept after ${TOTAL}, ${era}, timeline cleared`, cleared, undefined, '≤ 10'],
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
	let called = 0;
	const sessions = era === 'sessions';
	const [calls, lanes] = sessions ? [count / PER_CALL, 1] : [count, atOnce];
	const callAgain = async () => {
		while (called++ < calls) {
			const result = await subject.call(sessions ? { elicitations: PER_CALL, atOnce } : {});
			accepted += result.accepted;
		}
	};
	await Promise.all(Array.from({ length: lanes }, callAgain));
	if (accepted !== count) {
		throw new Error(`${accepted} of ${count} answers arrived.`);
	}
}

/**
 * No two answers are the same, as no two forms are filled in the same way.
 * @param {string} message
 */
function answerTo(message) {
	const number = Number(/\d+/.exec(message));
	return { name: `Person ${number}`, email: `person.${number}@example.com`, size: 'M', amount: number };
}

/**
 * @param {Era} era
 * @returns {Promise<Subject>}
 */
async function bareSubject(era) {
	const client = await bareClient(era, interviewer(era), (message) => ({
		action: 'accept',
		content: answerTo(message),
	}));
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
	const { connections, registry, trace, close } = await connect(folder, { interviewer: interviewer(era) });
	registry.onDidAsk((elicitation) => void registry.accept(elicitation, answerTo(elicitation.request.message)));
	const forget = () => {
		trace.clear();
		registry.forgetEnded();
	};
	return {
		call: async (args) => (await connections[0]?.callTool('interview', args))?.['structuredContent'],
		forget,
		close: async () => {
			await close();
			forget();
		},
	};
}
