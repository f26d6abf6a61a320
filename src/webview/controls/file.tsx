import type { Ref } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visible } from '../../elicitation/display.ts';
import type { AcceptedFile } from '../../elicitation/form/fields.ts';
import { fileIn, fileUri, isAccepted, kilobytes } from '../../elicitation/form/file.ts';
import type { Translate } from '../../elicitation/sentence.ts';
import { Button } from '../common/button.tsx';
import { Bdi, useT } from '../common/text.tsx';
import type { SingleProps } from './control.ts';

/** A file, which is sent within the response. */
export function FileControl({ accepted, value, disabled, target, change }: FileProps) {
	const t = useT();
	const file = fileIn(value);
	const name = visible(file?.name ?? '');
	const element = useRef<HTMLElement>(null);
	const hasActed = useRef(false);
	/** The name of a file that was chosen and cannot be sent. */
	const [refused, setRefused] = useState<string>();
	const act = (text: string, trouble?: string) => {
		hasActed.current = true;
		change({ kind: 'text', text }, trouble);
	};
	// What had the focus has been replaced.
	useLayoutEffect(() => {
		if (hasActed.current) {
			element.current?.focus();
		}
	}, [file === undefined, refused === undefined]);
	const remove = () => {
		if (element.current instanceof HTMLInputElement) {
			element.current.value = '';
		}
		setRefused(undefined);
		act('');
	};
	const choose = async (input: HTMLInputElement) => {
		const chosen = input.files?.[0];
		if (!chosen) {
			remove();
			return;
		}
		const refusal = troubleWith(chosen, accepted, t);
		const text = refusal === undefined ? await read(chosen) : undefined;
		const trouble = refusal ?? (text === undefined ? t('The file cannot be read.') : undefined);
		setRefused(trouble === undefined ? undefined : visible(chosen.name));
		act(text ?? '', trouble);
	};
	const removable = file ? name : refused;
	return (
		<div class="bar">
			{file ? (
				<span id={target.id} ref={element} tabIndex={-1}>
					<Bdi text={t('{0} ({1} KB)', name, kilobytes(file.size))} />
				</span>
			) : (
				<input
					{...target}
					ref={element as Ref<HTMLInputElement>}
					type="file"
					accept={accepted.accept.join(',')}
					disabled={disabled}
					onChange={(event) => void choose(event.currentTarget)}
				/>
			)}
			{removable === undefined ? null : (
				<Button disabled={disabled} onClick={remove}>
					{t('Remove {0}', removable)}
				</Button>
			)}
		</div>
	);
}

interface FileProps extends SingleProps<string> {
	readonly accepted: AcceptedFile;
}

function troubleWith(file: File, accepted: AcceptedFile, t: Translate): string | undefined {
	if (file.size > accepted.maxSize) {
		return t('The file is {0} KB; at most {1} KB are allowed.', kilobytes(file.size), kilobytes(accepted.maxSize));
	}
	return isAccepted(accepted, file)
		? undefined
		: t('The file is not of an allowed type: {0}.', accepted.accept.join(', '));
}

/** The file as a URI; undefined if it cannot be read. */
function read(file: File): Promise<string | undefined> {
	return new Promise((resolve) => {
		const reader = new FileReader();
		reader.onload = () => resolve(fileUri(file, String(reader.result).replace(/^[^,]*,/, '')));
		reader.onerror = () => resolve(undefined);
		reader.readAsDataURL(file);
	});
}
