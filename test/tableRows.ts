import { readFileSync } from 'node:fs';

/**
 * Reads the tables beside a test: for `some.test.ts` they stand in `some.table.json`, by name. A row is what `it.each` takes; its
 * types are said there.
 */
export function tableRows(test: string): (table: string) => never[] {
	const file = new URL(test.replace(/\.test\.ts$/, '.table.json'));
	const tables: Readonly<Record<string, never[]>> = JSON.parse(readFileSync(file, 'utf8'));
	return (table) => {
		const rows = tables[table];
		if (!rows) {
			throw new Error(`There is no table ${table}.`);
		}
		return rows;
	};
}
