/**
 * A codicon. What it means is said in words beside it.
 * @param name its class
 * @param svg its file
 */
export function Icon({ name, svg }: { readonly name: string; readonly svg: string }) {
	return (
		<svg viewBox="0 0 16 16" class={`icon ${name}`} aria-hidden="true">
			{[...svg.matchAll(/ d="([^"]+)"/g)].map(([, path]) => (
				<path d={path} />
			))}
		</svg>
	);
}
