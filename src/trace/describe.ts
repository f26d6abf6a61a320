import { given, type Json, own } from '../elicitation/json.ts';
import type { ElicitationRequest } from '../elicitation/request.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';

/** The name of each kind of request. */
export const MODES: Readonly<Record<ElicitationRequest['mode'], Sentence>> = {
	form: localizable('Form'),
	url: localizable('URL'),
	sampling: localizable('Sampling'),
};

/** Describes a request that arrived while the same one was open. */
export const REPEATED = localizable('sent again, ignored');

/** Describes a JSON-RPC message on one short line: its method, or what it responds to. */
export function describeMessage(message: unknown): string {
	const method = own(message, 'method');
	const id = own(message, 'id');
	if (typeof method === 'string') {
		return id === undefined ? method : `${method} #${idText(id)}`;
	}
	const error = given(message, 'error');
	if (error !== undefined) {
		const code = own(error, 'code');
		return `error ${typeof code === 'number' ? code : '?'} #${idText(id)}`;
	}
	const kind = own(own(message, 'result'), 'resultType');
	return `${kind === 'input_required' ? 'input_required' : 'result'} #${idText(id)}`;
}

function idText(id: Json | undefined): string {
	return typeof id === 'string' || typeof id === 'number' ? String(id) : '?';
}
