import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isPreRelease, notesOf, releasable } from '../../../scripts/release.mjs';
import { root } from '../../harness/paths.mjs';

const { minVersion, satisfies } = createRequire(import.meta.url)('semver') as {
	minVersion(range: string): string;
	satisfies(version: string, range: string): boolean;
};

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));

interface Step {
	readonly uses?: string;
	readonly run?: string;
	readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
	readonly on: object;
	readonly permissions: object;
	readonly jobs: Readonly<Record<string, { needs?: string; steps: readonly Step[]; 'timeout-minutes': number }>>;
}

const WORKFLOWS = readdirSync(join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`);
const FORMS = readdirSync(join(root, '.github/ISSUE_TEMPLATE'))
	.filter((name) => name !== 'config.yml')
	.map((name) => `.github/ISSUE_TEMPLATE/${name}`);

describe.each(WORKFLOWS)('the workflow %s', (file) => {
	const { permissions, jobs } = parse(read(file)) as Workflow;

	it('may do little, ends in time, and needs jobs that there are', () => {
		expect(permissions).toEqual({ contents: 'read' });
		for (const [name, { needs = name, 'timeout-minutes': minutes }] of Object.entries(jobs)) {
			expect(Object.keys(jobs)).toContain(needs);
			expect([name, minutes]).toEqual([name, expect.any(Number)]);
		}
	});

	it('takes actions by their version, and the Node that the README names unless it says which', () => {
		const steps = Object.values(jobs).flatMap((job) => job.steps);
		for (const { uses, with: inputs = {} } of steps) {
			if (uses !== undefined) {
				expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
			}
			if (uses?.startsWith('actions/setup-node@')) {
				expect(inputs).toSatisfy((has: object) => 'node-version' in has || 'node-version-file' in has);
			}
		}
	});
});

it.each([...WORKFLOWS, 'README.md', 'README.zh-cn.md', '.vscode/launch.json'])(
	'%s runs scripts that there are',
	(file) => {
		const text = read(file);
		const scripts = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
		expect(scripts.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([]);
		const programs = [...text.matchAll(/\bnode ([\w./-]+\.mjs)/g)].map(([, path = '']) => path);
		expect(programs.filter((path) => !existsSync(join(root, path)))).toEqual([]);
	},
);

it('every script of package.json runs a program that there is', () => {
	const paths = Object.values<string>(manifest.scripts).flatMap((line) =>
		[...line.matchAll(/[\w./-]+\.mjs\b/g)].map(([path]) => path),
	);
	expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it.each(FORMS)('the form %s asks for an export of the timeline, by the name of its command', (file) => {
	const { name, description, body } = parse(read(file)) as {
		name: string;
		description: string;
		body: readonly { type: string; id?: string; attributes: { label?: string; description?: string } }[];
	};
	expect([name, description].every(Boolean)).toBe(true);
	const { 'command.exportTimeline': command } = JSON.parse(read('package.nls.json'));
	const field = body.find(({ id }) => id === 'timeline');
	expect(field?.attributes.description).toContain(`MCP Elicitation: ${command}`);
	const ids = body.flatMap(({ id }) => id ?? []);
	expect(new Set(ids).size).toBe(ids.length);
	for (const { type, attributes } of body) {
		expect(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']).toContain(type);
		expect(type === 'markdown' || attributes.label !== undefined).toBe(true);
	}
});

describe('a release', () => {
	const changelog = [
		'# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Later.\n',
		'## [1.2.0] - 2026-01-31\n\n### Fixed\n\n- One.\n- Two.\n',
		'## [1.1.0] - 2026-01-01\n\n- First.\n\n[1.1.0]: https://example.com/\n',
	].join('\n');

	it('takes what the changelog says of its version', () => {
		expect(notesOf(changelog, '1.2.0')).toBe('### Fixed\n\n- One.\n- Two.');
		expect(notesOf(changelog, '1.1.0')).toBe('- First.');
		expect(releasable('v1.2.0', '1.2.0', changelog)).toContain('- Two.');
	});

	it('is refused where the tag does not fit, or the changelog does not name it', () => {
		expect(() => releasable('v1.2.0', '1.3.0', changelog)).toThrow('v1.2.0 does not fit version 1.3.0');
		expect(() => releasable('v1.3.0', '1.3.0', changelog)).toThrow('## [1.3.0] - YYYY-MM-DD');
	});

	it('of an odd minor version is a pre-release', () => {
		expect(['0.1.0', '1.0.1', '1.2.3', '1.13.0'].map(isPreRelease)).toEqual([true, false, false, true]);
	});
});

it('the changelog has the form of Keep a Changelog', () => {
	const changelog = read('CHANGELOG.md');
	const versions = [...changelog.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
	expect(versions[0]).toBe('[Unreleased]');
	expect(versions.slice(1).filter((heading) => !/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/.test(heading))).toEqual([]);
	const kinds = [...changelog.matchAll(/^### (.*)$/gm)].map(([, heading = '']) => heading);
	const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
	expect(kinds.filter((kind) => !known.includes(kind))).toEqual([]);
});

/** The oldest Node that works. */
const OLDEST = minVersion(manifest.engines.node);

it('the Node of the README is the one of package.json and of .nvmrc', () => {
	const oldest = String(OLDEST).replace(/\.0$/, '');
	expect(read('README.md')).toContain(`Node.js ${oldest} or newer`);
	expect(read('README.zh-cn.md')).toContain(`Node.js ${oldest} `);
	expect(read('.nvmrc').trim()).toBe(oldest.split('.')[0]);
});

it('no dependency asks for another Node than the README does', () => {
	const { packages } = JSON.parse(read('package-lock.json')) as {
		packages: Record<string, { engines?: { node?: string } }>;
	};
	const asking = Object.entries(packages).filter(
		([path, { engines }]) => path !== '' && !satisfies(OLDEST, engines?.node ?? '*'),
	);
	expect(asking.map(([path, { engines }]) => `${path}: ${engines?.node}`)).toEqual([]);
});
