import * as vscode from 'vscode';
import type { Bridge, BridgeHost } from '../../../bridge/index.ts';
import { localizable } from '../../../elicitation/sentence.ts';
import { showError } from '../../common/notifications.ts';
import { isBridged, type Servers } from '../../servers/servers.ts';
import { bridgeHost, type MakeCall } from './bridgeHost.ts';

/** The provider's id in package.json. */
const PROVIDER = 'mcpElicitation.agentBridge';

/** Placeholder URL. VS Code gets the real one when it starts the server. */
const PLACEHOLDER_URL = vscode.Uri.parse('http://127.0.0.1/');

const VIA = localizable('called by agent mode');

export interface AgentModeContext {
	readonly servers: Servers;
	/** Loads the protocol. */
	readonly loadBridge: () => Promise<{ readonly Bridge: typeof Bridge }>;
	readonly call: MakeCall;
}

/** Offers servers to VS Code's agent mode. Their elicitations are shown by this extension. */
export function registerAgentMode(context: AgentModeContext): vscode.Disposable {
	const agentMode = new AgentMode(context);
	return vscode.Disposable.from(agentMode, vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, agentMode));
}

class AgentMode implements vscode.McpServerDefinitionProvider<vscode.McpHttpServerDefinition>, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposable: vscode.Disposable;
	readonly #host: BridgeHost;
	#bridge: Promise<Bridge> | undefined;
	#offered: readonly string[] = [];

	readonly onDidChangeMcpServerDefinitions = this.#changed.event;

	constructor(private readonly context: AgentModeContext) {
		this.#host = bridgeHost(context.servers, context.call, VIA);
		const update = () => this.#update();
		this.#disposable = vscode.Disposable.from(this.#changed, context.servers.onDidChange(update));
	}

	async provideMcpServerDefinitions(): Promise<vscode.McpHttpServerDefinition[]> {
		await this.context.servers.settled;
		this.#update();
		// URL and secret are left out because VS Code stores definitions on disk.
		return this.#offered.map((name) => new vscode.McpHttpServerDefinition(name, PLACEHOLDER_URL));
	}

	/** Starts the server, with the user's consent, before VS Code connects. */
	async resolveMcpServerDefinition({
		label,
	}: vscode.McpHttpServerDefinition): Promise<vscode.McpHttpServerDefinition | undefined> {
		await this.#host.connect(label);
		this.#bridge ??= this.#createBridge();
		const bridge = await this.#bridge;
		const endpoint = await bridge.endpoint(label);
		return endpoint && new vscode.McpHttpServerDefinition(label, vscode.Uri.parse(endpoint.url), endpoint.headers);
	}

	dispose(): void {
		this.#disposable.dispose();
		this.#bridge?.then((bridge) => bridge.close()).catch(showError);
	}

	#update(): void {
		const offered = this.context.servers.entries.filter(isBridged).map(({ configured }) => configured.name);
		if (JSON.stringify(offered) !== JSON.stringify(this.#offered)) {
			this.#offered = offered;
			this.#bridge?.then((bridge) => bridge.offer(this.#offered)).catch(showError);
			this.#changed.fire();
		}
	}

	async #createBridge(): Promise<Bridge> {
		const { Bridge } = await this.context.loadBridge();
		const bridge = new Bridge(this.#host);
		await bridge.offer(this.#offered);
		return bridge;
	}
}
