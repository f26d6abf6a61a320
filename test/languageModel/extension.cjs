// @ts-check
/** A language model that repeats what it was sent, a message a line, or fails if that contains "fail". */
/** @type {any} The provider's part of the API is newer than the types of the oldest supported editor. */
const vscode = require('vscode');

/** @param {import('vscode').ExtensionContext} context */
function activate(context) {
	context.subscriptions.push(
		vscode.lm.registerLanguageModelChatProvider('mcp-elicitation-test', {
			provideLanguageModelChatInformation: () => [
				{
					id: 'echo-1',
					name: 'Echo',
					family: 'echo',
					version: '1',
					maxInputTokens: 10_000,
					maxOutputTokens: 10_000,
					capabilities: {},
				},
			],
			provideLanguageModelChatResponse,
			provideTokenCount: async () => 1,
		}),
	);
}

/**
 * @param {unknown} _model
 * @param {readonly import('vscode').LanguageModelChatMessage[]} messages
 * @param {unknown} _options
 * @param {import('vscode').Progress<import('vscode').LanguageModelTextPart>} progress
 */
async function provideLanguageModelChatResponse(_model, messages, _options, progress) {
	for (const { role, content } of messages) {
		const text = content.map((part) => ('value' in part ? part.value : '')).join('');
		if (text.includes('fail')) {
			throw new Error('The model is out of order.');
		}
		progress.report(new vscode.LanguageModelTextPart(`${role === 1 ? 'user' : 'assistant'}: ${text}\n`));
	}
}

module.exports = { activate };
