import { legibleJson } from '../../elicitation/display.ts';
import type { Json } from '../../elicitation/json.ts';
import { mapScalars } from '../../elicitation/json.ts';
import { writeJson } from '../../elicitation/jsonText.ts';
import { marker, type RecordedCase } from './recordedCase.ts';

/** Identifies the files and their version. */
export const FORMAT = 'mcp-elicitation/scenario';
export const VERSION = 1;

/** A case in a file of its own, which the command line runs. */
export interface Scenario extends RecordedCase {
	/** What `‹workspaceFolder›` stands for: a path relative to the folder of the file, or an absolute path. */
	readonly workspaceFolder: string;
}

/**
 * Writes a case as JSON. Invisible characters are escaped, so that a reader sees everything that is in the file.
 * @param workspaceFolder see `Scenario`
 */
export function scenarioFile(recorded: RecordedCase, workspaceFolder: string): string {
	const text = writeJson({ format: FORMAT, version: VERSION, workspaceFolder, ...recorded }, 2);
	return `${legibleJson(text)}\n`;
}

/** The names of the variables and places that occur in a part of a case. */
export function markersIn(part: unknown, names: readonly string[]): string[] {
	const text = JSON.stringify(part) ?? '';
	return names.filter((name) => text.includes(JSON.stringify(marker(name)).slice(1, -1)));
}

/** Fills in the variables and places of a part of a case. A text that is nothing but a variable becomes its value. */
export function filledIn<T>(part: T, values: ReadonlyMap<string, string | number | boolean>): T {
	const byMarker = new Map([...values].map(([name, value]) => [marker(name), value]));
	return mapScalars(part as Json, (scalar) =>
		typeof scalar !== 'string'
			? scalar
			: (byMarker.get(scalar) ?? scalar.replace(/‹[^‹›]*›/g, (each) => String(byMarker.get(each) ?? each))),
	) as T;
}
