/** The public part of this layer. The extension loads it on demand. */
export { Bridge, type Endpoint } from './bridge.ts';
export type { BridgeHost } from './host.ts';
export { type ClientInfo, serveLines } from './lineSession.ts';
export { WindowListener } from './windowListener.ts';
