/** Max time without yielding to the event loop (ms). */
const MAX_SLICE = 20;

/**
 * Runs to the end in slices, so that much work does not block the extension host.
 * @param onProgress called after each slice with what the last step has yielded
 */
export async function inSlices<T, Progress>(
	steps: Generator<Progress, T>,
	onProgress?: (progress: Progress) => void,
): Promise<T> {
	let since = performance.now();
	for (;;) {
		const { done, value } = steps.next();
		if (done) {
			return value;
		}
		if (performance.now() - since > MAX_SLICE) {
			onProgress?.(value);
			await new Promise((resolve) => setImmediate(resolve));
			since = performance.now();
		}
	}
}
