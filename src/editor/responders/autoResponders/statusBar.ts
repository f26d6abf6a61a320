import { type NativeText, native, withIcon } from '../../../elicitation/display.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import type { StatusBarContent } from '../../common/statusBarButton.ts';

interface AutoResponderUse {
	/** Number of elicitations settled by auto-responders. */
	readonly answered: number;
	/** The auto-responders, one per line. */
	readonly lines: readonly NativeText[];
	/** There are scripts, and the user has stopped them. */
	readonly stopped: boolean;
}

/** Shows for the rest of the session that auto-responders were used or that scripts are stopped. */
export function autoResponderStatus({ answered, lines, stopped }: AutoResponderUse): StatusBarContent | undefined {
	if (answered === 0 && !stopped) {
		return undefined;
	}
	const summary =
		answered === 0
			? localizeNative('Scripts are stopped.')
			: answered === 1
				? localizeNative('1 request from an MCP server was answered on your behalf.')
				: localizeNative('{0} requests from MCP servers were answered on your behalf.', answered);
	return {
		text: withIcon(
			stopped ? 'debug-pause' : 'robot',
			answered === 0 ? localize('Scripts stopped') : native(String(answered)),
		),
		tooltip: [
			summary,
			...lines,
			...(stopped && answered > 0 ? [localizeNative('Scripts are stopped.')] : []),
			localizeNative('Click to see what responds on your behalf, and to stop it.'),
		],
		label: summary,
	};
}
