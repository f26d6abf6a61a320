import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Field } from '../../../src/elicitation/form/fields.ts';
import { initialInputs } from '../../../src/elicitation/form/inputs.ts';
import { fieldsOf } from '../../../src/elicitation/form/readFields.ts';
import { isObject, own } from '../../../src/elicitation/json.ts';
import { type Act, cases, type RealWorldCase } from '../../field/schemas/case.ts';
import { root } from '../../harness/paths.mjs';
import { type Definition, type Editor, until } from '../driver/index.ts';

/** One field of an elicitation with what the user does to it; `undefined` leaves it alone. */
export interface Deed {
	readonly field: Field;
	readonly at: number;
	readonly act: Act | undefined;
	/** True where the field holds something before the user comes to it. */
	readonly filled: boolean;
	/** The sentence that is expected at the field. */
	readonly problem: string | undefined;
}

/** A case as it is asked in the editor. */
export interface Elicitation {
	readonly realWorld: RealWorldCase;
	/** Names the case, and tells its form from the one before. */
	readonly message: string;
	readonly deeds: readonly Deed[];
	/** What the server is to receive, to the letter. */
	readonly expected: string;
}

/** The cases that are asked in the editor. */
export const allElicitations: readonly Elicitation[] = cases.filter(({ inEditor }) => inEditor).map(elicitationOf);

/** One of each kind. */
export const sampleOfElicitations: readonly Elicitation[] = allElicitations.filter(
	({ realWorld }, at) => allElicitations.findIndex(({ realWorld: { row } }) => row === realWorld.row) === at,
);

function elicitationOf(realWorld: RealWorldCase): Elicitation {
	const { row, name, params, enter, content, problems = [] } = realWorld;
	const schema = own(params, 'requestedSchema') ?? own(params, 'schema');
	const fields = isObject(schema) ? fieldsOf(schema) : [];
	const before = initialInputs(fields);
	const deeds = fields.map((field, at): Deed => {
		const input = before[at];
		const blank = input === undefined || Object.values(input).some((value) => value === null || value === '');
		const problem = problems.find((line) => line.startsWith(`${field.key}: `))?.slice(field.key.length + 2);
		return { field, at, act: Object.hasOwn(enter, field.key) ? enter[field.key] : undefined, filled: !blank, problem };
	});
	const answer = content === undefined ? { action: 'cancel' } : { action: 'accept', content };
	return { realWorld, message: `${row}: ${name}`, deeds, expected: JSON.stringify(answer) };
}

/** The server that asks the elicitations, and what it has received so far. */
export class Asker {
	private constructor(private readonly folder: string) {}

	static async create(elicitations: readonly Elicitation[]): Promise<Asker> {
		const asker = new Asker(await mkdtemp(join(tmpdir(), 'mcp-elicitation-wild-')));
		const params = elicitations.map(({ realWorld, message }) => ({ ...realWorld.params, message }));
		await writeFile(asker.#elicitations, JSON.stringify(params));
		await writeFile(asker.#journal, '');
		return asker;
	}

	get #elicitations(): string {
		return join(this.folder, 'elicitations.json');
	}

	get #journal(): string {
		return join(this.folder, 'journal');
	}

	get definition(): Definition {
		return {
			command: process.execPath,
			args: [join(root, 'test/servers/realWorldSchemas.mjs'), this.#elicitations, this.#journal],
		};
	}

	/** All results received so far, to the letter. */
	async received(): Promise<string[]> {
		return (await readFile(this.#journal, 'utf8')).split('\n').slice(0, -1);
	}

	/** Waits for the result of one elicitation. */
	result(at: number): Promise<string> {
		return until(`the answer to elicitation ${at}`, async () => (await this.received())[at]);
	}

	remove(): Promise<void> {
		return rm(this.folder, { recursive: true });
	}
}

/** A way to answer an elicitation in the editor. */
export interface Presentation {
	/** Does what the case says, and accepts or, where it cannot be accepted, looks at the reason. */
	answer(editor: Editor, elicitation: Elicitation): Promise<void>;
	/** Leaves the elicitation that is open without an answer. */
	leave(editor: Editor, elicitation: Elicitation, over: () => Promise<boolean>): Promise<void>;
}
