import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createDemo } from './demo.ts';

// One factory for both eras; the client's first message decides which one it is.
serveStdio(({ era }) => createDemo(era));
