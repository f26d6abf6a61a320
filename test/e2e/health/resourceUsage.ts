import type { CDPSession } from 'playwright-core';
import { descendantsOf } from '../../harness/processTree.mjs';
import { until } from '../driver/index.ts';
import type { CycleContext } from './surfaceCycles.ts';

/** Max time for resource usage to settle (ms). */
const TIMEOUT = 300_000;

/** Resource usage of a window after garbage collection, in its page and its extension host. */
export interface ResourceUsage {
	/** Bytes. */
	readonly hostHeap: number;
	/** Bytes. */
	readonly hostMemory: number;
	/** Bytes. */
	readonly pageHeap: number;
	/** Counts of everything that must not grow. */
	readonly counts: Readonly<Record<string, number>>;
	/** Node warnings. */
	readonly warnings: readonly string[];
}

/** Measures the resource usage of one window. */
export class ResourceMonitor {
	private constructor(
		private readonly world: CycleContext,
		private readonly page: CDPSession,
	) {}

	static async of(world: CycleContext): Promise<ResourceMonitor> {
		return new ResourceMonitor(world, await world.editor.page.context().newCDPSession(world.editor.page));
	}

	async vitals(): Promise<ResourceUsage> {
		const { editor, probe } = this.world;
		const { pid, heap, rss, objects, resources, warnings } = await probe.vitals();
		await this.page.send('HeapProfiler.collectGarbage');
		const { usedSize } = await this.page.send('Runtime.getHeapUsage');
		const { documents, nodes, jsEventListeners } = await this.page.send('Memory.getDOMCounters');
		return {
			hostHeap: heap,
			hostMemory: rss,
			pageHeap: usedSize,
			counts: {
				'processes of the host': (await descendantsOf(pid)).length,
				...prefixed('host: ', objects),
				...prefixed('host is busy with: ', resources),
				'page: frames': editor.page.frames().length,
				'page: documents': documents,
				'page: nodes': nodes,
				'page: listeners': jsEventListeners,
			},
			warnings,
		};
	}

	/** The resource usage once it has settled: nothing is being released any more. */
	atRest(): Promise<ResourceUsage> {
		let before: ResourceUsage | undefined;
		return until(
			'the window to be at rest',
			async () => {
				const usage = await this.vitals();
				const falling = Object.entries(usage.counts).filter(
					([name, count]) => (before?.counts[name] ?? count) - count > 2,
				);
				const settled = before !== undefined && falling.length === 0;
				before = usage;
				return settled ? usage : undefined;
			},
			TIMEOUT,
		);
	}
}

function prefixed(prefix: string, counts: Readonly<Record<string, number>>): Record<string, number> {
	return Object.fromEntries(Object.entries(counts).map(([name, count]) => [prefix + name, count]));
}
