import type { Page } from 'playwright-core';

/** Smallest contrast of text, and of large text, icons, borders of controls and their states (WCAG 2.2 AA, 1.4.3 and 1.4.11). */
const TEXT = 4.5;
const OTHER = 3;
/** Smallest target (CSS pixels; WCAG 2.2 AA, 2.5.8). */
const TARGET = 24;

/** The contrast of two opaque colors as the browser computes them: from 1, for equal ones, to 21 (WCAG 2.2, 1.4.3). */
export function contrastRatio(...colors: readonly [string, string]): number {
	const [darker, lighter] = colors.map(luminance).sort((one, other) => one - other) as [number, number];
	return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
	const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
		const share = Number(part) / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Whatever in a page is too pale to be seen, or too small to be hit. */
export function shortcomings(page: Page): Promise<string[]> {
	return page.evaluate(measure, { TEXT, OTHER, TARGET });
}

/** Whatever in a page can be read only by scrolling sideways, or not at all. */
export function overflows(page: Page): Promise<string[]> {
	return page.evaluate(() =>
		[...document.querySelectorAll<HTMLElement>('html, body, body *')]
			.filter((element) => {
				const { overflowX, clipPath } = getComputedStyle(element);
				const isText = element.matches('input, textarea, select') || clipPath !== 'none';
				const isCut = element.matches('button, h1, h2, th, summary, label') && overflowX !== 'visible';
				const scrolls = element.matches('html') || /auto|scroll/.test(overflowX);
				return !isText && (scrolls || isCut) && element.scrollWidth > element.clientWidth;
			})
			.map((element) => `${element.tagName} ${element.className}: ${element.scrollWidth} > ${element.clientWidth}`),
	);
}

/** Runs in the page. */
function measure({ TEXT, OTHER, TARGET }: { TEXT: number; OTHER: number; TARGET: number }): string[] {
	type Color = readonly [r: number, g: number, b: number, alpha: number];
	const found = new Set<string>();
	const nameOf = (element: Element) =>
		`${element.tagName.toLowerCase()}${[...element.classList].map((name) => `.${name}`).join('')} "${(element.textContent ?? '').trim().slice(0, 30)}"`;

	function colorOf(text: string): Color {
		const numbers = [...text.replace(/^color\(srgb /, '').matchAll(/[\d.]+(e-\d+)?/g)].map(([number]) =>
			Number(number),
		);
		const scale = text.startsWith('color(srgb') ? 255 : 1;
		const [r = 0, g = 0, b = 0, alpha = 1] = numbers;
		return text === 'transparent' ? [0, 0, 0, 0] : [r * scale, g * scale, b * scale, alpha];
	}

	function over([r, g, b, alpha]: Color, below: Color): Color {
		const mix = (one: number, other: number) => one * alpha + other * (1 - alpha);
		return [mix(r, below[0]), mix(g, below[1]), mix(b, below[2]), 1];
	}

	function backgroundOf(element: Element | null): Color {
		if (!element) {
			return colorOf(getComputedStyle(document.body).backgroundColor);
		}
		const own = colorOf(getComputedStyle(element).backgroundColor);
		return own[3] === 1 ? own : over(own, backgroundOf(element.parentElement));
	}

	function luminance([r, g, b]: Color): number {
		const [red = 0, green = 0, blue = 0] = [r, g, b].map((value) => {
			const share = value / 255;
			return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
		});
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	}

	function contrast(text: string, background: Color): number {
		const one = luminance(over(colorOf(text), background));
		const other = luminance(background);
		return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
	}

	function expectContrast(what: string, color: string, background: Color, least: number): void {
		const seen = contrast(color, background);
		if (seen < least - 0.005) {
			found.add(`${what}: ${color} on ${background.slice(0, 3).map(Math.round)} is ${seen.toFixed(2)}, below ${least}`);
		}
	}

	const isSeen = (element: Element) =>
		element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
		!element.closest('.spoken') &&
		element.getBoundingClientRect().width > 0;
	// What is disabled need not have a contrast (1.4.3, 1.4.11).
	const isExempt = (element: Element) => element.closest(':disabled, [aria-disabled=true]') !== null;
	const all = [...document.body.querySelectorAll('*')].filter((element) => isSeen(element) && !isExempt(element));

	function leastFor({ fontSize, fontWeight }: CSSStyleDeclaration): number {
		const size = Number.parseFloat(fontSize);
		return size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? OTHER : TEXT;
	}

	for (const element of all) {
		const style = getComputedStyle(element);
		const background = backgroundOf(element);
		const hasText = [...element.childNodes].some(
			(node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '',
		);
		if (hasText && !(element instanceof SVGElement)) {
			expectContrast(nameOf(element), style.color, background, leastFor(style));
		}
		for (const pseudo of ['::before', '::after']) {
			const { content, color, clipPath, backgroundColor } = getComputedStyle(element, pseudo);
			if (clipPath.startsWith('path')) {
				expectContrast(`icon of ${nameOf(element)}`, backgroundColor, background, OTHER);
			}
			const text =
				/^"(.*?)"/
					.exec(content)?.[1]
					?.replace(/\ufe0e/g, '')
					.trim() ?? '';
			if (text !== '') {
				expectContrast(`${pseudo} of ${nameOf(element)}`, color, background, text.length === 1 ? OTHER : TEXT);
			}
		}
		if (element.matches('svg.icon')) {
			expectContrast(`icon ${nameOf(element)}`, style.fill, background, OTHER);
		}
		if (element.matches('.times > span, .legend > span[class]') && style.backgroundColor !== 'rgba(0, 0, 0, 0)') {
			expectContrast(`share ${nameOf(element)}`, style.backgroundColor, backgroundOf(element.parentElement), OTHER);
		}
		if (element.matches('input, textarea, select')) {
			measureControl(element as HTMLInputElement, style, background);
		}
		if (element.matches('.active:is([role=treeitem], [role=option])')) {
			const outside = backgroundOf(element.parentElement);
			const marks = [
				style.backgroundColor,
				style.outlineStyle === 'none' ? 'transparent' : style.outlineColor,
				/^(rgba?|color)\([^)]*\)/.exec(style.boxShadow)?.[0] ?? 'transparent',
			];
			if (Math.max(...marks.map((mark) => contrast(mark, outside))) < OTHER) {
				found.add(`the active ${nameOf(element)} is not told from others: ${marks.join(', ')}`);
			}
		}
	}

	function measureControl(control: HTMLInputElement, style: CSSStyleDeclaration, background: Color): void {
		const outside = backgroundOf(control.parentElement);
		if (control.matches('[type=checkbox], [type=radio]')) {
			// Without a check mark, the border of the browser's own has the contrast.
			const color = style.appearance === 'none' ? style.borderTopColor : style.accentColor;
			expectContrast(`${control.type} ${nameOf(control)}`, color, outside, OTHER);
			return;
		}
		expectContrast(`border of ${control.outerHTML.slice(0, 120)}`, style.borderTopColor, outside, OTHER);
		if (control.value !== '') {
			expectContrast(`value of ${nameOf(control)}`, style.color, background, TEXT);
		} else if (control.placeholder) {
			const { color } = getComputedStyle(control, '::placeholder');
			expectContrast(`placeholder "${control.placeholder}"`, color, background, TEXT);
		}
	}

	// An error is told by more than its color.
	const valid = all.find((element) => element.matches('input[type=text]:not([aria-invalid=true])'));
	for (const element of all.filter((each) => each.matches('[aria-invalid=true]:is(input, textarea)'))) {
		const linesOf = ({ borderTopWidth, boxShadow }: CSSStyleDeclaration) => `${borderTopWidth} ${boxShadow}`;
		if (valid && linesOf(getComputedStyle(element)) === linesOf(getComputedStyle(valid))) {
			found.add(`invalid ${element.outerHTML.slice(0, 120)} differs by its color only`);
		}
		const described = (element.getAttribute('aria-describedby') ?? '')
			.split(' ')
			.map((id) => document.getElementById(id));
		if (!described.some((each) => each && isSeen(each) && each.closest('.error, .problem, [role=alert]'))) {
			found.add(`invalid ${element.outerHTML.slice(0, 120)} has no message`);
		}
	}
	for (const element of all.filter((each) => each.matches('.row.error, h1.error'))) {
		if (!element.querySelector('.icon.failed, .icon.warned')) {
			found.add(`error ${nameOf(element)} is told by its color only`);
		}
	}

	// Focus.
	const focused = document.activeElement;
	for (const element of all.filter((each) => each.matches('button, input, textarea, select, summary, [tabindex]'))) {
		(element as HTMLElement).focus({ focusVisible: true, preventScroll: true } as FocusOptions);
		// A tree shows it at its active row.
		const { outlineStyle, outlineColor, outlineWidth } = getComputedStyle(
			element.querySelector('[role=treeitem].active') ?? element,
		);
		if (document.activeElement === element && !element.matches('h1')) {
			if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 1) {
				found.add(`focus of ${nameOf(element)} is not shown`);
			} else {
				expectContrast(`focus of ${nameOf(element)}`, outlineColor, backgroundOf(element.parentElement), OTHER);
			}
		}
	}
	(focused as HTMLElement | null)?.focus({ preventScroll: true });

	// Targets.
	const targets = 'button, summary, a[href], input, select, textarea, [role=treeitem], [role=option], [role=separator]';
	for (const target of document.body.querySelectorAll<HTMLElement>(targets)) {
		if (isSeen(target)) {
			const { width, height } = (target.closest('label') ?? target).getBoundingClientRect();
			if (width < TARGET - 0.01 || height < TARGET - 0.01) {
				found.add(`target ${nameOf(target)} is ${width.toFixed(1)} × ${height.toFixed(1)}`);
			}
		}
	}
	return [...found];
}
