import type { ShownFinding } from '../../protocol.ts';
import { Bdi, fill, gap, useT } from './text.tsx';

interface FindingsProps {
	readonly findings: readonly ShownFinding[];
	readonly open?: boolean;
	readonly onToggle?: (event: Event) => void;
}

/** What is wrong with the request, folded: for those who build the server, and for those who wonder. */
export function Findings(props: FindingsProps) {
	const t = useT();
	const { length } = props.findings;
	return <Folded {...props} title={length === 1 ? t('1 finding') : t('{0} findings', length)} />;
}

/** What other revisions and libraries make of it, folded. */
export function Notes({ findings }: FindingsProps) {
	const t = useT();
	return <Folded title={t('Other revisions and libraries: {0}', findings.length)} findings={findings} />;
}

/** Why requests of the server during a call were refused. */
export function Refusals({ reasons }: { readonly reasons: readonly string[] }) {
	const t = useT();
	return (
		<>
			{reasons.map((reason) => (
				<p class="warning">{fill(t('A request of the server was refused: {0}'), <Bdi text={reason} />)}</p>
			))}
		</>
	);
}

function Folded({ title, findings, ...details }: FindingsProps & { readonly title: string }) {
	return findings.length === 0 ? null : (
		<details class="findings" {...details}>
			<summary>{title}</summary>
			<ul class="points">
				{findings.map((finding) => (
					<Finding {...finding} />
				))}
			</ul>
		</details>
	);
}

function Finding({ pointer, rule, severity, text, handling }: ShownFinding) {
	const t = useT();
	const isWarning = severity === 'warning';
	return (
		<li>
			<p class={isWarning ? 'caution' : undefined}>
				{isWarning ? <span class="spoken">{t('Warning:')} </span> : null}
				<Bdi text={text} />
				{handling === undefined ? '' : `${gap(t)}${handling}`}
			</p>
			<p class="note texts">
				{[pointer, rule]
					.filter((mark) => mark !== '')
					.map((mark) => (
						<Bdi in="code" text={mark} />
					))}
			</p>
		</li>
	);
}
