import { type NativeText, native, together, withIcon } from '../../../elicitation/display.ts';
import { countPending, type Pending, pendingOf } from '../../../elicitation/pending.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { localizeNative } from '../../common/localize.ts';
import type { StatusBarContent } from '../../common/statusBarButton.ts';
import { describe, lineOf, oneLine, type WaitingEntry } from './entry.ts';

/** Max number of lines in the tooltip. */
const MAX_LINES = 30;

/** Number of pending entries, with the warning background while consent is waited for. Undefined if there are none. */
export function pendingStatus(registry: Registry, waiting: readonly WaitingEntry[]): StatusBarContent | undefined {
	const { count: pending, consent, automatic } = countPending(registry);
	const count = pending + waiting.length;
	if (count === 0) {
		return undefined;
	}
	const lines = [...waiting.map((each) => lineOf(describe(each))), ...pendingOf(registry).flatMap(linesOf)];
	return {
		text: withIcon(automatic ? 'loading~spin' : 'bell-dot', localizeNative('MCP {0}', count)),
		isWarning: consent,
		tooltip: [
			localizeNative('MCP elicitations: {0} pending', count),
			...lines.slice(0, MAX_LINES),
			...(lines.length > MAX_LINES ? [localizeNative('{0} more', lines.length - MAX_LINES)] : []),
		],
		label:
			count === 1 ? localizeNative('1 pending MCP elicitation') : localizeNative('{0} pending MCP elicitations', count),
	};
}

const INDENT = native('    ');

function linesOf(pending: Pending): NativeText[] {
	const entries = pending.kind === 'group' ? pending.entries : [];
	const members = entries.map((elicitation) => describe({ kind: 'member', elicitation }));
	return [
		lineOf(describe(pending)),
		...members.map(({ state, text }) => together([INDENT, oneLine([state, text], 300)], '')),
	];
}
