// @ts-check
/**
 * A raw peer whose tool `ask` requests consent and responds once it is given; its tool `hang` never responds, and `crash`
 * ends it. Where it waits forever, it writes the file `hanging` of its folder. Ends only when it is killed.
 */
import { writeFileSync } from 'node:fs';
import { said, send, serve } from './session.mjs';

const hang = () => writeFileSync('hanging', '');

process.on('SIGTERM', () => {});
setInterval(() => {}, 1_000_000);

/** @type {number | undefined} */
let call;

/** @type {Record<string, (id: number) => void>} */
const tools = {
	ask: (id) => {
		call = id;
		const form = { message: 'Go on?', requestedSchema: { type: 'object', properties: {} } };
		send({ id: `q${id}`, method: 'elicitation/create', params: form });
	},
	hang,
	crash: () => process.exit(3),
};

serve('hanging', Object.keys(tools), {
	'tools/call': ({ id, params }) => tools[params.name]?.(id),
	response: ({ result }) => (result?.action === 'accept' ? send({ id: call, result: said('Went on.') }) : hang()),
});
