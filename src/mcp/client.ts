import { Client, type ClientCapabilities } from '@modelcontextprotocol/client';
import type { ServerDefinition } from '../config/definition.ts';
import { MODERN } from './rounds.ts';

/** How long the probe for the modern era may take before the server counts as one that never answers it (milliseconds). */
const PROBE_TIMEOUT = 15_000;

/** The SDK's client, so set up that it leaves everything about elicitation to us. */
export function createClient(definition: ServerDefinition, version: string, onToolsChanged: () => void): Client {
	const { protocolVersion } = definition;
	const mode = protocolVersion === 'auto' ? 'auto' : protocolVersion === MODERN ? { pin: MODERN } : 'legacy';
	return new Client(
		{ name: 'mcp-elicitation', title: 'MCP Elicitation', version },
		{
			capabilities: capabilities(definition),
			versionNegotiation: { mode, probe: { timeoutMs: PROBE_TIMEOUT } },
			inputRequired: { autoFulfill: false },
			// Results are shown as they are; the SDK's validator would be a second copy of what validation/ has.
			jsonSchemaValidator: {
				getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
			},
			...(mode === 'legacy' && { supportedProtocolVersions: [protocolVersion] }),
			listChanged: { tools: { autoRefresh: false, onChanged: onToolsChanged } },
		},
	);
}

function capabilities({ elicitation, protocolVersion }: ServerDefinition): ClientCapabilities {
	switch (elicitation.advertise) {
		case 'none':
			return {};
		case 'form':
			return { elicitation: { form: {} } };
		case 'url':
			return { elicitation: { url: {} } };
		default:
			// A client of the oldest revision with elicitation declares it without naming modes (E01).
			return { elicitation: protocolVersion === '2025-06-18' ? {} : { form: {}, url: {} } };
	}
}
