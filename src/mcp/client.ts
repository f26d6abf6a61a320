import { Client } from '@modelcontextprotocol/client';
import {
	capabilitiesOf,
	rootsCapabilityOf,
	samplingCapabilityOf,
	type TaskMode,
	taskCapabilitiesOf,
} from '../config/capabilities.ts';
import type { ServerDefinition } from '../config/definition.ts';
import { STATELESS } from '../elicitation/revisions.ts';

/**
 * Timeout of the `server/discover` probe (ms). After it, a stdio server is assumed to ignore unknown methods. HTTP has
 * no fallback, and the server may have to wake up first.
 */
const PROBE_TIMEOUT = { stdio: 15_000, http: 60_000, sse: 60_000 };

/** Used once the server is known not to speak an older revision. */
export const LONG_PROBE = { mode: 'auto', probe: { timeoutMs: 60_000 } } as const;

/** Creates an SDK client that leaves everything about elicitation to this extension. */
export function createClient(
	definition: ServerDefinition,
	version: string,
	taskMode: TaskMode,
	onChanged: Readonly<Record<'tools' | 'prompts' | 'resources', () => void>>,
): Client {
	const { protocolVersion, type } = definition;
	const mode = protocolVersion === 'auto' ? 'auto' : protocolVersion >= STATELESS ? { pin: protocolVersion } : 'legacy';
	const client = new Client(
		{ name: 'mcp-elicitation', title: 'MCP Elicitation', version },
		{
			capabilities: {
				...capabilitiesOf(definition),
				...rootsCapabilityOf(definition),
				...samplingCapabilityOf(definition),
				...taskCapabilitiesOf(definition, taskMode),
			},
			versionNegotiation: { mode, probe: { timeoutMs: PROBE_TIMEOUT[type] } },
			inputRequired: { autoFulfill: false },
			// Results are shown unvalidated, so the SDK's validator isn't needed.
			jsonSchemaValidator: {
				getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
			},
			...(mode === 'legacy' && { supportedProtocolVersions: [protocolVersion] }),
			// ListBounds truncates long lists. The SDK would discard them entirely.
			listMaxPages: 0,
		},
	);
	for (const list of ['tools', 'prompts', 'resources'] as const) {
		client.setNotificationHandler(`notifications/${list}/list_changed`, onChanged[list]);
	}
	return client;
}
