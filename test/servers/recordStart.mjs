// @ts-check
/** Records how it was started, writes its TOKEN to stderr, and then runs the given program. */
import { appendFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [, place = ''] = process.argv.splice(1, 2);
const { argv, env, pid } = process;
appendFileSync(place, `${JSON.stringify({ args: argv.slice(2), env, cwd: process.cwd(), pid })}\n`);
console.error(`My token is ${env.TOKEN}.`);
await import(pathToFileURL(String(argv[1])).href);
