/** What the rest of the extension loads, on demand, of this room. */
export { Bridge, type Endpoint } from './bridge.ts';
export type { BridgeHost, CallRequest } from './host.ts';
