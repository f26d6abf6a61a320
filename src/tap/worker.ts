import { parentPort, workerData } from 'node:worker_threads';
import { type FromWorker, type Post, Recording, type RecordingOptions } from './recording.ts';
import { appendTo } from './sink.ts';

/* The thread that records: takes what passes, one after the other, and says how far it is. */
const options = workerData as RecordingOptions;
const port = parentPort;
const say = (what: FromWorker) => port?.postMessage(what);
/** Posts are handled one after the other. */
let last = Promise.resolve();

try {
	const recording = new Recording(options, appendTo(options.file));
	port?.on('message', (posts: readonly Post[]) => {
		last = last.then(async () => {
			for (const { size, ...post } of posts) {
				if ('close' in post) {
					port.close();
					return;
				}
				try {
					await recording.take(post);
				} catch (error) {
					fail(error);
					return;
				}
				say({ done: size });
			}
		});
	});
} catch (error) {
	fail(error);
}

/** Nothing more is recorded. */
function fail(error: unknown): void {
	say({ failed: error instanceof Error ? error.message : String(error) });
	port?.close();
}
