import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../harness/paths.mjs';
import { chinese, english } from '../../servers/releaseTexts.mjs';

export type Language = 'en' | 'zh-cn';

/** What the extension and the server of the pictures say in one language. */
export interface Words {
	/** A command by the end of its id, as the palette lists it. */
	command(name: string): string;
	/** A text of the extension by its English words. */
	say(text: string, ...values: string[]): string;
	readonly server: typeof english;
}

export function wordsIn(language: Language): Words {
	const titles = read(language === 'en' ? 'package.nls.json' : `package.nls.${language}.json`);
	const texts = language === 'en' ? {} : read(`l10n/bundle.l10n.${language}.json`);
	return {
		command: (name) => `MCP Elicitation: ${titles[`command.${name}`]}`,
		say: (text, ...values) =>
			values.reduce((said, value, index) => said.replace(`{${index}}`, value), texts[text] ?? text),
		server: language === 'en' ? english : chinese,
	};
}

function read(file: string): Record<string, string> {
	return JSON.parse(readFileSync(join(root, file), 'utf8'));
}
