import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandIds, fullId, type Settings, settingIds, viewIds } from '../../src/editor/contributions.ts';
import { root } from '../harness/paths.mjs';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));
const strings: Record<string, string> = JSON.parse(read('package.nls.json'));
const { commands, views, viewsWelcome, menus, configuration, keybindings = [] } = manifest.contributes;
const properties: Record<string, { default: unknown }> = configuration.properties;

describe('the manifest', () => {
	it('contributes the commands that the code knows, and nothing else', () => {
		const contributed = commands.map(({ command }: { command: string }) => command);
		expect(contributed.sort()).toEqual(commandIds.map(fullId).sort());
	});

	it('contributes the views that the code knows, and nothing else', () => {
		const contributed = views.mcpElicitation.map(({ id }: { id: string }) => id);
		expect(contributed.sort()).toEqual(viewIds.map(fullId).sort());
		for (const { view } of viewsWelcome) {
			expect(contributed).toContain(view);
		}
	});

	it('contributes the settings that the code reads, with the promised defaults', () => {
		expect(Object.keys(properties).sort()).toEqual(settingIds.map(fullId).sort());
		const defaults: { readonly [K in keyof Settings]: Settings[K] } = {
			servers: {},
			autoStart: false,
			'form.presentation': 'auto',
			'form.reveal': 'focus',
			'url.allowInsecure': 'loopback',
			callTimeout: 60,
			'trace.maxMessages': 10_000,
		};
		for (const [id, value] of Object.entries(defaults)) {
			expect(properties[fullId(id as keyof Settings)]?.default, id).toEqual(value);
		}
	});

	it('offers only its own commands in menus', () => {
		const offered = Object.values(menus as Record<string, { command: string }[]>).flat();
		for (const { command } of offered) {
			expect(commandIds.map(fullId)).toContain(command);
		}
		expect(offered.length).toBeGreaterThan(0);
	});

	it('binds keys only while something of its own is open', () => {
		for (const { command, when } of keybindings) {
			expect(command).toMatch(/^mcpElicitation\./);
			expect(when).toMatch(/mcpElicitation\./);
		}
	});

	it('restricts every setting by which a workspace could run or open something', () => {
		expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(
			expect.arrayContaining(['servers', 'autoStart', 'url.allowInsecure'].map((id) => fullId(id as keyof Settings))),
		);
	});

	it('has a text for every key, and a key for every text', () => {
		const used = [...read('package.json').matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key);
		expect([...new Set(used)].sort()).toEqual(Object.keys(strings).sort());
	});

	it('names only commands of its own or of the editor in the links of its texts', () => {
		const links = Object.values(strings).flatMap((text) => [...text.matchAll(/\]\(command:([^)]+)\)/g)]);
		expect(links.length).toBeGreaterThan(0);
		for (const [, command] of links) {
			expect(/^workbench\./.test(command ?? '') || commandIds.some((id) => fullId(id) === command), command).toBe(true);
		}
	});
});
