import type { ComponentChild, ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { escapeInvisible, FOREIGN } from '../../elicitation/url/invisible.ts';
import type { UrlParameter, UrlParts } from '../../elicitation/url/urlParts.ts';
import { useReachable } from '../common/focus.ts';
import { fill, joined, marked, useT } from '../common/text.tsx';

/** A piece of a URL: on its own, on one line, and nothing in it unseen. */
function Piece({ text }: { readonly text: string }) {
	return <bdi>{escapeInvisible(text)}</bdi>;
}

/** A long URL scrolls. */
function Url({ children }: { readonly children: ComponentChildren }) {
	const element = useRef<HTMLElement>(null);
	useReachable(element);
	return (
		<code class="url exact" ref={element}>
			{children}
		</code>
	);
}

/** The whole URL, its domain set off (U03, U05). No link: nothing here can be clicked. */
export function WholeUrl({ href, scheme, userInfo, host, domain }: UrlParts) {
	const hostAt = `${scheme}://`.length + (userInfo === '' ? 0 : userInfo.length + 1);
	const at = hostAt + host.lastIndexOf(domain);
	const isKnown = domain !== '' && href.startsWith(domain, at);
	return (
		<Url>
			<bdi dir="ltr">
				{isKnown ? escapeInvisible(href.slice(0, at)) : escapeInvisible(href)}
				{isKnown ? <strong class="domain">{domain}</strong> : null}
				{isKnown ? escapeInvisible(href.slice(at + domain.length)) : null}
			</bdi>
		</Url>
	);
}

/** What the server wrote. Its characters stand in the order in which they were written, whatever script they are of. */
export function RawUrl({ text }: { readonly text: string }) {
	return (
		<Url>
			<bdo dir="ltr">{escapeInvisible(text)}</bdo>
		</Url>
	);
}

/** The URL in its parts; those that it does not have are left out. */
export function PartsList({ scheme, userInfo, host, unicodeHost, domain, port, path, fragment }: UrlParts) {
	const t = useT();
	const rows: readonly (readonly [name: string, part: string, shown: ComponentChild])[] = [
		[t('Scheme'), scheme, <Piece text={scheme} />],
		[t('User information'), userInfo, <WithReading part={userInfo} />],
		[t('Host'), host, <HostPart host={host} domain={domain} />],
		[t('Host in Unicode'), unicodeHost === host ? '' : unicodeHost, <Labels unicodeHost={unicodeHost} />],
		[
			t('Domain'),
			domain === host ? '' : domain,
			<strong class="domain">
				<Piece text={domain} />
			</strong>,
		],
		[t('Port'), port, <Piece text={port} />],
		[t('Path'), path, <WithReading part={path} />],
		[t('Fragment'), fragment, <WithReading part={fragment} />],
	];
	return (
		<dl class="pairs">
			{rows.map(([name, part, shown]) => (part === '' ? null : [<dt>{name}</dt>, <dd>{shown}</dd>]))}
		</dl>
	);
}

/** The parameters under names of their own: none of them passes for a part of the URL. */
export function ParameterList({ parameters }: { readonly parameters: readonly UrlParameter[] }) {
	const t = useT();
	const empty = <em>{t('empty')}</em>;
	return (
		<dl class="pairs">
			{parameters.map(({ name, value, written }) => [
				<dt class="code">{name === '' ? empty : <Piece text={name} />}</dt>,
				<dd>
					{value === '' ? empty : <Piece text={value} />}
					{written === undefined ? null : <Aside template={t('written {0}')} text={written} />}
				</dd>,
			])}
		</dl>
	);
}

function HostPart({ host, domain }: Pick<UrlParts, 'host' | 'domain'>) {
	const at = host.lastIndexOf(domain);
	return (
		<span class="host">
			{host.slice(0, at)}
			<strong class="domain">{domain}</strong>
			{host.slice(at + domain.length)}
		</span>
	);
}

/** Every label on its own, so that those of other scripts do not trade places, with the letters marked that may pass for others. */
function Labels({ unicodeHost }: Pick<UrlParts, 'unicodeHost'>) {
	const labels = unicodeHost.split('.').map((label) => <bdi>{marked(escapeInvisible(label), FOREIGN)}</bdi>);
	return <bdi dir="ltr">{joined('.', labels)}</bdi>;
}

/** A part as it stands in the URL and, where that differs, what it reads. */
function WithReading({ part }: { readonly part: string }) {
	const t = useT();
	const reading = decoded(part);
	return (
		<>
			<Piece text={part} />
			{reading === part ? null : <Aside template={t('reads {0}')} text={reading} />}
		</>
	);
}

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

function Aside({ template, text }: { readonly template: string; readonly text: string }) {
	const code = (
		<span class="code">
			<Piece text={text} />
		</span>
	);
	return <span class="note aside">{fill(template, code)}</span>;
}
