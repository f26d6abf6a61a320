import type { Part } from '../../config/fingerprint.ts';
import type { StartRow } from '../../config/startText.ts';
import { visible } from '../../elicitation/display.ts';
import { render } from '../../elicitation/sentence.ts';
import type { StartModel } from '../../protocol.ts';
import type { Config } from '../common/loadConfig.ts';
import { t } from '../common/words.ts';
import { fromWorkspace, placeText } from './configSource.ts';
import type { ConfiguredServer } from './configuration.ts';
import type { StartPlan } from './startPlan.ts';

/** What consent is asked to, for a page; and for a dialog, where it fits into one. */
export interface StartQuestion {
	readonly model: StartModel;
	/** Why it is asked. */
	readonly reason: string;
	readonly detail?: string;
}

/** @param changed what is different from what was agreed to; undefined where nothing was */
export function startQuestion(
	{ startSections, fitsDialog }: Config,
	{ name, source }: ConfiguredServer,
	{ start }: StartPlan,
	changed: readonly Part[] | undefined,
): StartQuestion {
	const reason = visible(
		changed
			? t('What it starts has changed since you agreed to it: {0}.', changed.map(partText).join(', '))
			: fromWorkspace(source)
				? t('This workspace defines it. Start it only if you trust what it does.')
				: t(
						'Your settings define it, but what it starts depends on this workspace. Start it only if you trust what it does.',
					),
	);
	const place = visible(t('Defined in: {0}', placeText(source)));
	const sections = startSections(start);
	const model: StartModel = {
		server: name,
		reason,
		place,
		sections: sections.map(({ title, alarm, rows }) => ({
			...(title && { title: render(title, t) }),
			alarm,
			rows: rows.map(({ label, text, notes }) => ({
				...(label && { label: render(label, t) }),
				text,
				notes: notes.map((note) => render(note, t)),
			})),
		})),
	};
	const lines = [
		reason,
		'',
		place,
		'',
		...sections.flatMap(({ title, alarm, rows }) => [
			...(title ? ['', `${alarm ? '⚠ ' : ''}${render(title, t)}`] : []),
			...rows.map(lineOf),
		]),
	];
	return {
		model,
		reason,
		...(fitsDialog(
			model.sections.flatMap(({ rows }) => rows),
			lines,
		) && { detail: lines.join('\n') }),
	};
}

/** Two spaces never stand beside each other in what is shown, so that nothing there can pose as a note. */
function lineOf({ label, text, notes }: StartRow): string {
	const what = label ? t('{0}: {1}', render(label, t), text) : text;
	return [what, ...notes.map((note) => render(note, t))].join('  ← ');
}

function partText(part: Part): string {
	switch (part) {
		case 'type':
			return t('the kind of connection');
		case 'command':
			return t('the command');
		case 'args':
			return t('the arguments');
		case 'cwd':
			return t('the working directory');
		case 'env':
			return t('the environment variables');
		case 'envFile':
			return t('the environment file');
		case 'url':
			return t('the URL');
		case 'headers':
			return t('the headers');
		case 'oauth':
			return t('how you are signed in');
	}
}
