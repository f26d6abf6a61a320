import { writeFileSync } from 'node:fs';
import * as commands from './commands.ts';
import * as comparison from './comparison.ts';
import * as documents from './documents.ts';
import * as facts from './facts.ts';
import * as manifest from './manifest.ts';
import { read } from './project.ts';
import * as promises from './promises.ts';
import * as requirements from './requirements.ts';
import * as tables from './tables.ts';
import * as texts from './texts.ts';
import * as workflows from './workflows.ts';

/** Each check yields what is wrong: where, and what to do. */
const CHECKS = [documents, facts, comparison, texts, manifest, workflows, promises, requirements, tables].flatMap(
	(module) => Object.entries(module).filter(([name]) => name.startsWith('check')),
) as [string, () => Iterable<string>][];

/** Files of which parts, or all, are generated, with what they must hold. */
const GENERATED = () => [
	...commands.generated(),
	...texts.generated(),
	...tables.generated(),
	...requirements.generated(),
];

/** What all checks find. With `update`, what is generated is written first. */
export function problems(update: boolean): string[] {
	const old = GENERATED().filter(([path, content]) => read(path) !== content);
	if (update) {
		for (const [path, content] of old) {
			writeFileSync(path, content);
		}
	}
	return [
		...(update ? [] : old.map(([path]) => `${path} is out of date: npm run check -- --update`)),
		...CHECKS.flatMap(([, check]) => [...check()]),
	];
}
