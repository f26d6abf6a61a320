import { useState } from 'preact/hooks';
import { shorten } from '../../elicitation/display.ts';
import { isObject, own } from '../../elicitation/json.ts';
import { embeddedJson } from '../../elicitation/jsonText.ts';
import { Bdi, fill, useT } from '../common/text.tsx';
import { Tree } from './tree.tsx';

/** Raster images only: an SVG is a document. */
const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const SOUND = /^audio\/[a-z0-9][a-z0-9.+-]*$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Media types of prose. All other text is code or data, and is shown with a fixed width. */
const PROSE = /^text\/(plain|markdown)\b/i;
const LONGEST_TEXT = 200_000;

interface MediaProps {
	readonly data: unknown;
	readonly mimeType: string | undefined;
}

/** One content block of a result, as the server sent it: any JSON at all. */
export function ContentBlock({ block }: { readonly block: unknown }) {
	const t = useT();
	const media = { data: own(block, 'data'), mimeType: mimeTypeOf(block) };
	const resource = own(block, 'resource');
	const text = own(block, 'text');
	switch (own(block, 'type')) {
		case 'text':
			return typeof text === 'string' ? <Text text={text} /> : <UnknownContent value={block} />;
		case 'image':
			return <Image {...media} />;
		case 'audio':
			return <Sound {...media} />;
		case 'resource_link':
			return (
				<>
					<p class="note">{t('Link to a resource')}</p>
					<ResourceFacts value={block} />
				</>
			);
		case 'resource':
			return isObject(resource) ? (
				<>
					<p class="note">{t('Embedded resource')}</p>
					<ResourceContents value={resource} />
				</>
			) : (
				<UnknownContent value={block} />
			);
		default:
			return <UnknownContent value={block} />;
	}
}

export function UnknownContent({ value }: { readonly value: unknown }) {
	const t = useT();
	return (
		<>
			<p class="note">{t('Unknown kind of content')}</p>
			<Tree value={value} />
		</>
	);
}

/** Text as it is; what is JSON as a tree. */
function Text({ text, isCode = false }: { readonly text: string; readonly isCode?: boolean }) {
	const t = useT();
	const json = embeddedJson(text);
	if (json) {
		return <Tree value={json} />;
	}
	const hidden = text.length - LONGEST_TEXT;
	return (
		<>
			<div class={isCode ? 'text code' : 'text'}>
				<Bdi text={hidden > 0 ? text.slice(0, LONGEST_TEXT) : text} />
			</div>
			{hidden > 0 ? <p class="note">{t('Not shown: {0} more. The raw JSON has all of it.', hidden)}</p> : null}
		</>
	);
}

/** A `data:` URI, when type and data are what they should be. */
function dataUri({ data, mimeType }: MediaProps, isAllowed: (mime: string) => boolean): string | undefined {
	const mime = mimeType?.toLowerCase();
	if (typeof data !== 'string' || mime === undefined || !isAllowed(mime)) {
		return undefined;
	}
	const base64 = data.replace(/\s/g, '');
	return BASE64.test(base64) ? `data:${mime};base64,${base64}` : undefined;
}

function Image(props: MediaProps) {
	const t = useT();
	const [isBroken, setBroken] = useState(false);
	const uri = dataUri(props, (mime) => IMAGES.has(mime));
	if (uri === undefined || isBroken) {
		return <p class="note">{fill(t('This image cannot be shown ({0}).'), mimeName(props))}</p>;
	}
	const name = props.mimeType?.toLowerCase() ?? '';
	return <img src={uri} alt={t('Image, {0}', name)} onError={() => setBroken(true)} />;
}

function Sound(props: MediaProps) {
	const t = useT();
	const [isBroken, setBroken] = useState(false);
	const uri = dataUri(props, (mime) => SOUND.test(mime));
	if (uri === undefined || isBroken) {
		return <p class="note">{fill(t('This audio cannot be played ({0}).'), mimeName(props))}</p>;
	}
	const name = props.mimeType?.toLowerCase() ?? '';
	return <audio src={uri} controls aria-label={t('Audio, {0}', name)} onError={() => setBroken(true)} />;
}

function mimeTypeOf(value: unknown): string | undefined {
	const type = own(value, 'mimeType');
	return typeof type === 'string' ? type : undefined;
}

function mimeName({ mimeType }: MediaProps) {
	return <Bdi text={mimeType === undefined ? '?' : shorten(mimeType, 100)} />;
}

/** Name, description, address and type of a resource. The address is text: nothing here is fetched or clicked. */
function ResourceFacts({ value }: { readonly value: unknown }) {
	const name = own(value, 'title') ?? own(value, 'name');
	const description = own(value, 'description');
	const address = [own(value, 'uri'), own(value, 'mimeType')].filter((part) => typeof part === 'string');
	return (
		<>
			{typeof name === 'string' ? (
				<p>
					<Bdi in="strong" text={name} />
				</p>
			) : null}
			{typeof description === 'string' ? <Bdi in="p" class="text" text={description} /> : null}
			<p class="texts">
				{address.map((part) => (
					<Bdi in="code" text={part} />
				))}
			</p>
		</>
	);
}

/** What was read of a resource: text as it is, pictures as pictures, of everything else its size. */
export function ResourceContents({ value }: { readonly value: unknown }) {
	return (
		<>
			<ResourceFacts value={value} />
			<ResourceBody text={own(value, 'text')} blob={own(value, 'blob')} mimeType={mimeTypeOf(value)} />
		</>
	);
}

interface ResourceBodyProps {
	readonly text: unknown;
	readonly blob: unknown;
	readonly mimeType: string | undefined;
}

function ResourceBody({ text, blob, mimeType }: ResourceBodyProps) {
	const t = useT();
	if (typeof text === 'string') {
		return <Text text={text} isCode={mimeType !== undefined && !PROSE.test(mimeType)} />;
	}
	if (typeof blob !== 'string') {
		return null;
	}
	if (mimeType !== undefined && IMAGES.has(mimeType.toLowerCase())) {
		return <Image data={blob} mimeType={mimeType} />;
	}
	const bytes = Math.floor((blob.replace(/[=\s]/g, '').length * 3) / 4);
	return (
		<p class="note">
			{bytes === 1 ? t('1 byte of binary data, not shown.') : t('{0} bytes of binary data, not shown.', bytes)}
		</p>
	);
}
