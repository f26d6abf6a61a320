/** What the benchmarks use of the product, and a visitor for the sign-ins that no benchmark needs. */
export { readServers } from '../../src/config/readDefinition.ts';
export { Registry } from '../../src/elicitation/registry.ts';
export { redactText } from '../../src/privacy/patterns.ts';
export { Secrets } from '../../src/privacy/secrets.ts';
export { TraceLog } from '../../src/trace/log.ts';
export { ValidatorPool } from '../../src/validation/validatorPool.ts';
export { Visitor } from '../conformance/visitor.ts';
export { hostOf } from '../unit/bridge/host.ts';

export const loadMcp = () => import('../../src/mcp/index.ts');
export const loadBridge = () => import('../../src/bridge/index.ts');
