import { expect, it } from 'vitest';
import { Commands } from '../../../../src/editor/common/commands.ts';
import { fullId } from '../../../../src/editor/common/contributions.ts';

it('a command has the title that the editor shows, also where it was translated', () => {
	const commands = new Commands({} as never, [
		{ command: fullId('callAgain'), title: 'Call Again…' },
		{ command: fullId('copyUrl'), title: { value: '复制 URL' } },
	]);
	expect(commands.title('callAgain')).toBe('Call Again…');
	expect(commands.title('copyUrl')).toBe('复制 URL');
});
