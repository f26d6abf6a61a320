import { Commands } from '../../../src/editor/common/commands.ts';
import { subjectKinds } from '../../../src/editor/subjects.ts';
import { Registry } from '../../../src/elicitation/registry.ts';

const NO_SERVERS = { settled: Promise.resolve(), entries: [], get: () => undefined };

/** The commands of a window, whose titles are their ids. */
export function testCommands(
	registry: object = new Registry({ validate: async () => ({ status: 'valid' }) }, () => Number.POSITIVE_INFINITY),
	servers: object = NO_SERVERS,
	waiting: object = { all: [] },
): Commands {
	return new Commands(subjectKinds(servers as never, registry as never, waiting as never), []);
}
