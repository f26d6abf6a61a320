import { type Recording, readRecording } from '../../../../src/trace/recording/readRecording.ts';
import { playRecording } from '../../../../src/trace/recording/recordedTimeline.ts';
import { Secrets } from '../../../../src/trace/secrets.ts';
import { Timeline } from '../../../../src/trace/timeline.ts';

export const CALL = { id: '7', kind: 'tool', name: 'deploy' };

/** A recording of one server: each message is sent or received a second after the one before. */
export function recording(...messages: readonly (readonly ['sent' | 'received', object, object?])[]): string {
	return messages
		.map(([direction, message, call = CALL], at) => {
			const moment = new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString();
			return `${JSON.stringify({ seq: at, at: moment, server: 's', direction, call, message })}\n`;
		})
		.join('');
}

const encoder = new TextEncoder();

/** Reads a recording with this text. */
export function read(text: string): Recording {
	return readRecording(encoder.encode(text));
}

/** The timeline of a recording with this text. */
export function played(text: string): Timeline {
	const steps = playRecording(encoder.encode(text), new Secrets());
	for (;;) {
		const { done, value } = steps.next();
		if (done) {
			return new Timeline(value.recorded.registry, value.recorded.trace, true);
		}
	}
}
