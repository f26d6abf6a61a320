/** Workflows, forms for issues, versions of Node, the changelog. */
import { createRequire } from 'node:module';
import { parse } from 'yaml';
import { EDITORS } from '../harness/toolchain.mjs';
import { filesIn, json, manifest, missing, read, strings } from './project.ts';

const { minVersion, satisfies } = createRequire(import.meta.url)('semver') as {
	minVersion(range: string): string;
	satisfies(version: string, range: string): boolean;
};

interface Workflow {
	readonly permissions: object;
	readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
	readonly needs?: string;
	readonly steps: readonly { readonly uses?: string; readonly with?: object }[];
	readonly 'timeout-minutes'?: number;
}

interface Form {
	readonly name?: string;
	readonly description?: string;
	readonly body: readonly { type: string; id?: string; attributes: { label?: string; description?: string } }[];
}

export function* checkWorkflows(): Iterable<string> {
	for (const file of filesIn('.github/workflows', /\.yml$/)) {
		const { permissions, jobs } = parse(read(file)) as Workflow;
		if (JSON.stringify(permissions) !== '{"contents":"read"}') {
			yield `${file}: may do more than read; give permissions to single jobs`;
		}
		for (const [name, { needs = name, steps, 'timeout-minutes': minutes }] of Object.entries(jobs)) {
			if (!Object.hasOwn(jobs, needs) || typeof minutes !== 'number') {
				yield `${file}: ${name} needs a job that does not exist, or has no timeout-minutes`;
			}
			for (const { uses = 'a/b@v1', with: inputs = {} } of steps) {
				if (!/^[\w-]+\/[\w-]+@v\d+$/.test(uses)) {
					yield `${file}: ${uses} is to be named by its major version`;
				}
				if (uses.startsWith('actions/setup-node@') && !('node-version' in inputs || 'node-version-file' in inputs)) {
					yield `${file}: ${name} does not say which Node it takes`;
				}
			}
		}
	}
}

export function* checkIssueForms(): Iterable<string> {
	const command = `MCP Elicitation: ${strings.english['command.exportTimeline']}`;
	for (const file of filesIn('.github/ISSUE_TEMPLATE', /(?<!config)\.yml$/)) {
		const { name, description, body } = parse(read(file)) as Form;
		const ids = body.flatMap(({ id }) => id ?? []);
		if (!name || !description || new Set(ids).size < ids.length) {
			yield `${file}: has no name or no description, or an id twice`;
		}
		if (!body.find(({ id }) => id === 'timeline')?.attributes.description?.includes(command)) {
			yield `${file}: does not ask for an export of the timeline with "${command}"`;
		}
		const types = ['markdown', 'textarea', 'input', 'dropdown', 'checkboxes'];
		const bad = body.filter(
			({ type, attributes }) => !types.includes(type) || (type !== 'markdown' && !attributes.label),
		);
		yield* bad.map(({ type, id }) => `${file}: ${id ?? type} has an unknown type or no label`);
	}
}

/** https://keepachangelog.com */
export function* checkChangelog(): Iterable<string> {
	const headings = (level: string) =>
		[...read('CHANGELOG.md').matchAll(new RegExp(`^${level} (.*)$`, 'gm'))].map(([, heading = '']) => heading);
	const [first, ...versions] = headings('##');
	const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
	const odd = [
		...(first === '[Unreleased]' ? [] : [first]),
		...versions.filter((version) => !/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/.test(version)),
		...missing(headings('###'), kinds),
	];
	yield* odd.map((heading) => `CHANGELOG.md: "${heading}" is no heading of Keep a Changelog`);
}

/** The oldest Node and the oldest editor that are promised are the same everywhere, and what the lock file and the tests use. */
export function* checkVersions(): Iterable<string> {
	const node = String(minVersion(manifest.engines.node));
	const short = node.replace(/\.0$/, '');
	const places = { 'README.md': `Node.js ${short} or newer`, 'README.zh-cn.md': `Node.js ${short} ` };
	for (const [page, text] of Object.entries(places)) {
		if (!read(page).includes(text)) {
			yield `${page}: does not say "${text}", as package.json does`;
		}
	}
	if (read('.nvmrc').trim() !== short.split('.')[0]) {
		yield `.nvmrc: is not the oldest Node of package.json, ${short}`;
	}
	const { packages } = json('package-lock.json') as { packages: Record<string, { engines?: { node?: string } }> };
	for (const [path, { engines }] of Object.entries(packages)) {
		if (path !== '' && !satisfies(node, engines?.node ?? '*')) {
			yield `package-lock.json: ${path} asks for Node ${engines?.node}`;
		}
	}
	const editor = `^1.${EDITORS.oldest.codeServer.split('.')[1]}.0`;
	if (manifest.engines.vscode !== editor) {
		yield `package.json: promises VS Code ${manifest.engines.vscode}, but the tests run in ${editor}`;
	}
}
