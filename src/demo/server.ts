import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createDemo } from './demo.ts';

serveStdio(createDemo());
