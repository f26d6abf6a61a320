/** Resolves to true after the delay, or to false as soon as the signal aborts. */
export function delay(milliseconds: number, signal: AbortSignal): Promise<boolean> {
	return new Promise((resolve) => {
		const end = (whole: boolean) => {
			clearTimeout(timer);
			signal.removeEventListener('abort', abort);
			resolve(whole);
		};
		const abort = () => end(false);
		const timer = setTimeout(() => end(true), milliseconds);
		signal.addEventListener('abort', abort, { once: true });
	});
}

/** Settles with the promise, or rejects with the signal's reason if the signal aborts first. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const abort = () => reject(signal.reason);
		if (signal.aborted) {
			abort();
		}
		signal.addEventListener('abort', abort, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
	});
}
