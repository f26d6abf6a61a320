/** The part of this layer that the extension's entry point loads lazily. */
export { textWithAddition, withAddition } from './addition.ts';
export { PLACEHOLDER, readAnswers } from './answers.ts';
export { answerDiagnostics, readAnswersText } from './answersText.ts';
export { capabilitiesForCall } from './capabilities.ts';
export { NOTHING, namesIn, readContent } from './content.ts';
export { isHttpUrl, readServers } from './definition.ts';
export { effectiveParts, PARTS, sameServer } from './fingerprint.ts';
export { effectiveDefinition, launchOf, missingVariables, snapshot } from './launch.ts';
export { outerInputs, resolvePrecedence } from './precedence.ts';
export { receiverOf } from './receiver.ts';
export { kindOf, MAX_REQUESTS, replacementFor, requestAt, requestsIn, spansIn } from './schemaText.ts';
export { namesSecret, secretsAmong } from './secretNames.ts';
export { proposedName, recognize, runsOf, type Snippet, warningsOf } from './snippet.ts';
export { decidedBySecret, decidingInputs, dependsOnWorkspace } from './start.ts';
export { startSections } from './startText.ts';
export { diagnosticsOf, placeOf, readText } from './text.ts';
export { resolveVariables } from './variables.ts';
