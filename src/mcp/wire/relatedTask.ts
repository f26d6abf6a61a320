import { RELATED_TASK_META_KEY } from '@modelcontextprotocol/client';
import { own } from '../../elicitation/json.ts';

/** The id of the task that a message belongs to, from its params or its result (K03). */
export function relatedTask(holder: unknown): string | undefined {
	const id = own(own(own(holder, '_meta'), RELATED_TASK_META_KEY), 'taskId');
	return typeof id === 'string' ? id : undefined;
}

/** The `_meta` of a message that belongs to a task. */
export function relatedTaskMeta(taskId: string): { _meta: Record<string, { taskId: string }> } {
	return { _meta: { [RELATED_TASK_META_KEY]: { taskId } } };
}
