/** Max time between the two clicks of a double click (ms). */
const DOUBLE_CLICK = 500;

/**
 * Recognizes the second click of a double click on what the key identifies: VS Code and pages run a command for each.
 * Never for an empty key.
 */
export function doubleClicks(): (key: string) => boolean {
	let last = { key: '', time: 0 };
	return (key) => {
		const time = performance.now();
		const isSecond = key !== '' && key === last.key && time - last.time < DOUBLE_CLICK;
		last = { key, time };
		return isSecond;
	};
}
