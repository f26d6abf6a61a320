import { countPending, type Pending, pendingOf } from '../../../elicitation/pending.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { localizeNative } from '../../common/localize.ts';
import type { StatusBarContent } from '../../common/statusBarButton.ts';
import { type Entry, entryLine } from './entry.ts';

/** Max number of lines in the tooltip. */
const MAX_LINES = 30;

/** Number of pending entries, highlighted as a warning if the user has to decide. Undefined if there are none. */
export function pendingStatus(registry: Registry): StatusBarContent | undefined {
	const { count, urgent } = countPending(registry);
	if (count === 0) {
		return undefined;
	}
	const lines = pendingOf(registry).flatMap(linesOf);
	return {
		text: `$(${urgent ? 'warning' : 'sync~spin'}) ${count}`,
		isWarning: urgent,
		tooltip: [
			localizeNative('MCP elicitations: {0} pending', count),
			...lines.slice(0, MAX_LINES),
			...(lines.length > MAX_LINES ? [localizeNative('{0} more', lines.length - MAX_LINES)] : []),
		],
		label: localizeNative('{0} pending MCP elicitations', count),
	};
}

function linesOf(pending: Pending): string[] {
	const entries = pending.kind === 'group' ? pending.entries : [];
	return [
		entryLine(pending),
		...entries.map((elicitation) => `    ${entryLine({ kind: 'member', elicitation } satisfies Entry)}`),
	];
}
