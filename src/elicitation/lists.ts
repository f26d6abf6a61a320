/** What servers list, with the capability that it belongs to, and the method that reads it. */
export const LISTS = {
	tools: ['tools', 'tools/list'],
	prompts: ['prompts', 'prompts/list'],
	resources: ['resources', 'resources/list'],
	resourceTemplates: ['resources', 'resources/templates/list'],
} as const satisfies Record<string, readonly [capability: string, method: string]>;

/** The member of a result that holds what is listed. */
export type ListName = keyof typeof LISTS;

export const LIST_NAMES = Object.keys(LISTS) as ListName[];

/** The capabilities of servers that list something. */
export const CAPABILITIES = [...new Set(Object.values(LISTS).map(([capability]) => capability))];

/** What a method lists; undefined for any other method. */
export function listedBy(method: string): ListName | undefined {
	return LIST_NAMES.find((name) => LISTS[name][1] === method);
}
