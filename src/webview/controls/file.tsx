import type { Ref } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visible } from '../../elicitation/display.ts';
import type { Input } from '../../elicitation/form/answer.ts';
import type { AcceptedFile } from '../../elicitation/form/fields.ts';
import { fileIn, fileUri, isAccepted, kilobytes } from '../../elicitation/form/file.ts';
import { Button } from '../common/button.tsx';
import type { T } from '../common/strings.ts';
import { Bdi, useT } from '../common/text.tsx';
import type { SingleProps } from './control.ts';

/** A file, which is sent within the response. */
export function FileControl({ accepted, value, disabled, target, change }: FileProps) {
	const t = useT();
	const file = fileIn(value);
	const name = visible(file?.name ?? '');
	const element = useRef<HTMLElement>(null);
	const hasActed = useRef(false);
	const act = (input: Input, trouble?: string) => {
		hasActed.current = true;
		change(input, trouble);
	};
	// What had the focus has been replaced.
	useLayoutEffect(() => {
		if (hasActed.current) {
			element.current?.focus();
		}
	}, [file === undefined]);
	const choose = async (input: HTMLInputElement) => {
		const chosen = input.files?.[0];
		if (!chosen) {
			return;
		}
		const trouble = troubleWith(chosen, accepted, t);
		const text = trouble === undefined ? await read(chosen) : '';
		act(
			{ kind: 'text', text: text ?? '' },
			trouble ?? (text === undefined ? t('The file cannot be read.') : undefined),
		);
	};
	return file ? (
		<div class="row">
			<span id={target.id} ref={element} tabIndex={-1}>
				<Bdi text={t('{0} ({1} KB)', name, kilobytes(file.size))} />
			</span>
			<Button disabled={disabled} onClick={() => act({ kind: 'text', text: '' })}>
				{t('Remove {0}', name)}
			</Button>
		</div>
	) : (
		<input
			{...target}
			ref={element as Ref<HTMLInputElement>}
			type="file"
			accept={accepted.accept.join(',')}
			disabled={disabled}
			onChange={(event) => void choose(event.currentTarget)}
		/>
	);
}

interface FileProps extends SingleProps<string> {
	readonly accepted: AcceptedFile;
}

function troubleWith(file: File, accepted: AcceptedFile, t: T): string | undefined {
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
