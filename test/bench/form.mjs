// @ts-check
/** How fast a form stands before the person, and how fast it answers to what is typed; compared with an empty webview panel. */
import { ask, inEditor, inWebview } from './editor.mjs';
import { inTurns, median, percentile } from './report.mjs';

const ROUNDS = 15;
const KEYSTROKES = 60;

const small = {
	message: 'Where shall it go?',
	requestedSchema: {
		type: 'object',
		properties: {
			name: { type: 'string', minLength: 3 },
			email: { type: 'string', format: 'email' },
			size: { type: 'string', enum: ['S', 'M', 'L'] },
			amount: { type: 'integer', minimum: 1, maximum: 20 },
		},
		required: ['name'],
	},
};

const manyFields = {
	message: 'A thousand elicitations',
	requestedSchema: {
		type: 'object',
		properties: Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field ${index}`, { type: 'string' }])),
	},
};

const manyOptions = {
	message: 'One of ten thousand',
	requestedSchema: {
		type: 'object',
		properties: { one: { type: 'string', enum: Array.from({ length: 10_000 }, (_, index) => `option ${index}`) } },
	},
};

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default function formBenchmarks() {
	const settings = { 'mcpElicitation.form.presentation': 'webview', 'mcpElicitation.form.reveal': 'focus' };
	return inEditor(settings, rememberFocus, measure);
}

/**
 * @param {import('playwright-core').Page} page
 * @param {number} panel
 * @param {number} asker
 * @returns {Promise<import('./report.mjs').Row[]>}
 */
async function measure(page, panel, asker) {
	const { empty, forms } = await inTurns('form', ROUNDS, {
		empty: async () => {
			const { t0 } = await ask(panel, '/');
			const time = (await focusAfter(page, t0)) - t0;
			await ask(panel, '/close');
			return time;
		},
		forms: () => timeOfForm(page, asker, small),
	});
	const emptyPanel = /** @type {const} */ ([median(empty), 'empty webview panel']);
	const { form, alone } = await typeInForm(page, asker);
	return [
		['form visible and focused, ms', median(forms), emptyPanel, 'ratio ≤ 1.25'],
		['form of 1,000 fields, ms', await timeOfForm(page, asker, manyFields), emptyPanel, '≤ 1,500'],
		['choice of 10,000 options, ms', await timeOfForm(page, asker, manyOptions), emptyPanel, '≤ 1,500'],
		[
			'keystroke to message, p95, ms',
			percentile(form, 0.95),
			[percentile(alone, 0.95), 'input without a form'],
			'≤ 50',
		],
	];
}

/**
 * @param {import('playwright-core').Page} page
 * @param {number} asker
 * @param {object} params
 */
async function timeOfForm(page, asker, params) {
	const { t0 } = await ask(asker, '/ask', params);
	const time = (await focusAfter(page, t0)) - t0;
	const form = await frameOfForm(page);
	await form.getByRole('button', { name: 'Cancel', exact: true }).click();
	await ask(asker, '/answer');
	return time;
}

/**
 * Types into an input that belongs to nothing, and into a field that is too short at first: every key changes its message, and back.
 * @param {import('playwright-core').Page} page
 * @param {number} asker
 */
async function typeInForm(page, asker) {
	const { t0 } = await ask(asker, '/ask', small);
	await focusAfter(page, t0);
	const form = await frameOfForm(page);
	const field = form.getByLabel('name', { exact: true });
	await field.fill('ab');
	await form.getByLabel('email', { exact: true }).focus();
	await form.locator('.problem').filter({ hasText: /\S/ }).first().waitFor();
	const times = await field.evaluate(async (element, count) => {
		const input = /** @type {HTMLInputElement} */ (element);
		const shown = () => [...document.querySelectorAll('.problem')].some((alert) => alert.textContent?.trim());
		/** @type {(typedIn: HTMLInputElement, answered: (valid: boolean) => boolean) => Promise<number[]>} */
		const type = async (typedIn, answered) => {
			/** @type {number[]} */
			const measured = [];
			for (let index = 0; index < count; index++) {
				const valid = index % 2 === 0;
				const start = performance.now();
				typedIn.value = valid ? 'abc' : 'ab';
				typedIn.dispatchEvent(new InputEvent('input', { bubbles: true }));
				await new Promise((resolve) => {
					const check = () => (answered(valid) ? resolve(undefined) : setTimeout(check, 0));
					setTimeout(check, 0);
				});
				measured.push(performance.now() - start);
			}
			return measured;
		};
		const alone = await type(document.createElement('input'), () => true);
		return { alone, form: await type(input, (valid) => shown() === !valid) };
	}, KEYSTROKES);
	await form.getByRole('button', { name: 'Cancel', exact: true }).click();
	await ask(asker, '/answer');
	return times;
}

/**
 * Runs in every frame: when was an input of it given the focus last? The editor writes a webview's page into a document that
 * exists already, which takes listeners away but not this.
 */
function rememberFocus() {
	const { focus } = HTMLElement.prototype;
	HTMLElement.prototype.focus = function (...args) {
		focus.apply(this, args);
		// A long choice is a button.
		if (this.matches('input, button')) {
			Object.assign(globalThis, { focusedAt: Date.now() });
		}
	};
}

/**
 * Waits until an input of a webview has got the focus after that moment, and says when.
 * @param {import('playwright-core').Page} page
 * @param {number} since
 */
async function focusAfter(page, since) {
	const { found } = await inWebview(page, 'the focus', async (frame) => {
		const at = await frame.evaluate(() => Reflect.get(globalThis, 'focusedAt'));
		return typeof at === 'number' && at >= since ? at : undefined;
	});
	return found;
}

/** @param {import('playwright-core').Page} page */
async function frameOfForm(page) {
	const { frame } = await inWebview(page, 'a form', async (each) =>
		(await each.getByRole('form').count()) > 0 ? true : undefined,
	);
	return frame;
}
