import { readRecording } from '../trace/recording/readRecording.ts';
import { RecordedServer } from './recordedServer.ts';

/**
 * A server of a recording, the number of lines that hold no message, and whether the last line was cut off.
 * @param file an exported timeline, as JSON Lines
 * @param wanted which server; may be omitted if there is only one
 * @throws Error that can be shown to the user, if there is none or it has to be chosen
 */
export function openRecording(
	file: Uint8Array,
	wanted: string | undefined,
): { server: RecordedServer; unreadable: number; cutOff: boolean } {
	const { messages, unreadable, cutOff } = readRecording(file);
	const names = [...new Set(messages.map(({ server }) => server))];
	const name = wanted ?? names[0];
	if (name === undefined) {
		throw new Error('The recording has no messages. Name a timeline that was exported as JSON Lines.');
	}
	if (!names.includes(name)) {
		throw new Error(`The recording has no server "${name}"; it has ${names.join(', ')}.`);
	}
	if (wanted === undefined && names.length > 1) {
		throw new Error(`The recording has several servers. Choose one of ${names.join(', ')}.`);
	}
	const own = messages.filter(({ server }) => server === name);
	return { server: new RecordedServer(name, own), unreadable, cutOff };
}
