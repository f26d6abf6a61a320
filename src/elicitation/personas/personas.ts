import claudeCowork from './claude-cowork.json' with { type: 'json' };
import codexAppServer from './codex-app-server.json' with { type: 'json' };
import codexPromptsDenied from './codex-prompts-denied.json' with { type: 'json' };
import inspector from './inspector.json' with { type: 'json' };
import mcpjam from './mcpjam.json' with { type: 'json' };
import mcpjam2 from './mcpjam-2.json' with { type: 'json' };
import type { Persona } from './persona.ts';
import sdk1 from './typescript-sdk-1.json' with { type: 'json' };
import sdk2 from './typescript-sdk-2.json' with { type: 'json' };
import vscode from './vscode.json' with { type: 'json' };
import vscodeAgentHost from './vscode-agent-host.json' with { type: 'json' };

/** All personas. A test checks their files against `test/personas/persona.schema.json`. */
export const PERSONAS = [
	vscode,
	inspector,
	mcpjam,
	mcpjam2,
	sdk1,
	sdk2,
	codexAppServer,
	codexPromptsDenied,
	claudeCowork,
	vscodeAgentHost,
] as unknown as readonly Persona[];
