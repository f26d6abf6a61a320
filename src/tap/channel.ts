import type { Direction } from '../conversation/exchange.ts';

/** Who has ended it before it was complete, if anybody has. */
export type Cut = Direction | undefined;

/** Takes the bytes of one direction. Decoding may take a while. */
export interface Channel {
	bytes(chunk: Uint8Array, at: number): void | Promise<void>;
	lose(bytes: number, at: number): void;
	end(at: number, cut: Cut): void | Promise<void>;
}
