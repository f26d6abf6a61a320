import arrowLeft from '@vscode/codicons/src/icons/arrow-left.svg';
import arrowRight from '@vscode/codicons/src/icons/arrow-right.svg';
import beaker from '@vscode/codicons/src/icons/beaker.svg';
import chevronRight from '@vscode/codicons/src/icons/chevron-right.svg';
import circle from '@vscode/codicons/src/icons/circle-large.svg';
import circleSlash from '@vscode/codicons/src/icons/circle-slash.svg';
import clearAll from '@vscode/codicons/src/icons/clear-all.svg';
import close from '@vscode/codicons/src/icons/close.svg';
import collapseAll from '@vscode/codicons/src/icons/collapse-all.svg';
import commentDiscussion from '@vscode/codicons/src/icons/comment-discussion.svg';
import copy from '@vscode/codicons/src/icons/copy.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import expandAll from '@vscode/codicons/src/icons/expand-all.svg';
import exportIcon from '@vscode/codicons/src/icons/export.svg';
import globe from '@vscode/codicons/src/icons/globe.svg';
import listUnordered from '@vscode/codicons/src/icons/list-unordered.svg';
import loading from '@vscode/codicons/src/icons/loading.svg';
import pass from '@vscode/codicons/src/icons/pass.svg';
import sync from '@vscode/codicons/src/icons/sync.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';
import watch from '@vscode/codicons/src/icons/watch.svg';
import type { RowIcon } from '../../timelineProtocol.ts';
import { Icon } from './icon.tsx';

/** The same icons as in the timeline view of the editor. The form has no use for them, and must not wait for them. */
const icons = {
	twistie: chevronRight,
	running: loading,
	succeeded: pass,
	failed: error,
	cancelled: circleSlash,
	unfinished: circle,
	series: beaker,
	outside: listUnordered,
	round: sync,
	form: commentDiscussion,
	sampling: commentDiscussion,
	url: globe,
	sent: arrowRight,
	received: arrowLeft,
	expand: expandAll,
	collapse: collapseAll,
	copy,
	export: exportIcon,
	clear: clearAll,
	close,
	warned: warning,
	waited: watch,
} as const satisfies Record<RowIcon | string, string>;

export type RecordIconName = keyof typeof icons;

/** An icon of the pages that show what has happened. */
export function RecordIcon({ name }: { readonly name: RecordIconName }) {
	return <Icon name={name} svg={icons[name]} />;
}
