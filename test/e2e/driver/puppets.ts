import { afterAll } from 'vitest';
import type { Puppet } from '../../puppet/puppet.ts';

const puppets: Puppet[] = [];

/** A server whose every message is written by the test, until the end of the file. */
export async function puppet<P extends Puppet, O>(open: (options?: O) => Promise<P>, options?: O): Promise<P> {
	const opened = await open(options);
	puppets.push(opened);
	return opened;
}

afterAll(() => Promise.all(puppets.splice(0).map((each) => each.close())));
