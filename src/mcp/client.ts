import { Client } from '@modelcontextprotocol/client';
import { capabilitiesOf } from '../config/capabilities.ts';
import type { ServerDefinition } from '../config/definition.ts';
import { MODERN } from './rounds/rounds.ts';

/**
 * How long the probe for the modern era may take (milliseconds). After it a process counts as one that never answers what it
 * does not know; behind a URL there is no other try, and it may have to wake up first.
 */
const PROBE_TIMEOUT = { stdio: 15_000, http: 60_000, sse: 60_000 };

/** How long it may take once it is known that the server does not speak the older one. */
export const LONG_PROBE = { mode: 'auto', probe: { timeoutMs: 60_000 } } as const;

/** The SDK's client, so set up that it leaves everything about elicitation to us. */
export function createClient(
	definition: ServerDefinition,
	version: string,
	onChanged: Readonly<Record<'tools' | 'prompts' | 'resources', () => void>>,
): Client {
	const { protocolVersion, type } = definition;
	const mode = protocolVersion === 'auto' ? 'auto' : protocolVersion === MODERN ? { pin: MODERN } : 'legacy';
	const client = new Client(
		{ name: 'mcp-elicitation', title: 'MCP Elicitation', version },
		{
			capabilities: capabilitiesOf(definition),
			versionNegotiation: { mode, probe: { timeoutMs: PROBE_TIMEOUT[type] } },
			inputRequired: { autoFulfill: false },
			// Results are shown as they are; the SDK's validator would be a second copy of what validation/ has.
			jsonSchemaValidator: {
				getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
			},
			...(mode === 'legacy' && { supportedProtocolVersions: [protocolVersion] }),
			// ListBounds ends what has no end; the SDK would throw away all of it.
			listMaxPages: 0,
		},
	);
	for (const list of ['tools', 'prompts', 'resources'] as const) {
		client.setNotificationHandler(`notifications/${list}/list_changed`, onChanged[list]);
	}
	return client;
}
