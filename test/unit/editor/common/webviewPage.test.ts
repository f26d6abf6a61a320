import { expect, it, vi } from 'vitest';
import { Page } from '../../../../src/editor/common/webviewPage.ts';
import { native } from '../../../../src/elicitation/display.ts';
import { fromTrials } from '../../../../src/trialsProtocol.ts';
import { FakePanel, messages, pages, settled } from '../surfaces.ts';
import { Disposable, fakeVscode } from '../vscode.ts';

type Shown = { readonly type: 'show' | 'again' };

const { panels, extensionUri } = pages<Shown>(['Stop', 'Show', '</script>']);
const shown = messages();
const options = { name: 'trials', title: native('Trials'), background: false, messages: fromTrials } as const;

/** A page that shows one thing, and what it is told. */
function open(panel?: FakePanel<Shown>) {
	const page = new Page<Shown, typeof fromTrials>(extensionUri, {
		...options,
		...(panel && { panel: panel as never }),
	});
	const content = { show: () => page.post({ type: 'show' }), receive: vi.fn(), closed: vi.fn() };
	page.open(content);
	return { page, content, panel: panel ?? (panels.at(-1) as FakePanel<Shown>) };
}

it('a page is sent once what it shows, and again when it was hidden or loaded anew', async () => {
	const { panel } = open();
	await settled();
	expect(panel.posted).toHaveLength(1);
	panel.send({ type: 'ready' });
	expect(panel.posted).toHaveLength(2);
});

it('a page that was hidden before it has loaded gets what was posted too early', async () => {
	const { panel } = open();
	panel.visible = false;
	panel.focus(false);
	await settled();
	panel.visible = true;
	panel.posted.length = 0;
	panel.send({ type: 'ready' });
	expect(panel.posted).toEqual([{ type: 'show' }]);
});

it('the page in the panel of a custom editor gets nothing before it has loaded, and then what it shows by then', async () => {
	const { page, panel, content } = open(new FakePanel<Shown>());
	expect(panel.posted).toEqual([]);
	await settled();
	expect(panel.posted).toEqual([{ type: 'show' }]);
	page.open({ ...content, show: () => page.post({ type: 'again' }) });
	expect(panel.posted).toEqual([{ type: 'show' }, { type: 'again' }]);
	page.release();
	expect([panel.closed, panel.listeners]).toEqual([false, 0]);
});

it.each([
	['its owner', ({ page }: ReturnType<typeof open>) => page.dispose()],
	['the user', ({ panel }: ReturnType<typeof open>) => panel.dispose()],
])('a page that %s has closed is over once, with all that belongs to it', (_who, close) => {
	const opened = open();
	const { page, panel, content } = opened;
	const owned = vi.fn();
	page.own(new Disposable(owned));
	close(opened);
	page.dispose();
	panel.visible = true;
	page.post({ type: 'again' });
	page.reveal();
	panel.send({ type: 'stop' });
	expect([content.closed.mock.calls.length, owned.mock.calls.length, panel.listeners, panel.closed]).toEqual([
		1,
		1,
		0,
		true,
	]);
	expect([page.isClosed, page.isVisible, page.isActive, panel.revealed]).toEqual([true, false, false, 0]);
	expect(panel.posted).toEqual([{ type: 'show' }]);
	expect(content.receive).not.toHaveBeenCalled();
});

it('something stands for the page until it is drawn', () => {
	const { panel } = open();
	expect(panel.webview.html).toMatch(
		/<main id="app" data-page="trials"><div class="skeleton" role="status">.*Loading…/,
	);
});

it('only what the page may send is heard, and what comes of it is told if it fails', async () => {
	const { panel, content } = open();
	for (const message of [{ type: 'stop' }, { type: 'open', index: -1 }, { type: 'open', index: 1 }, 'stop', null]) {
		panel.send(message);
	}
	expect(content.receive.mock.calls.flat()).toEqual([{ type: 'stop' }, { type: 'open', index: 1 }]);
	content.receive.mockImplementation(() => {
		throw new Error('Not now.');
	});
	panel.send({ type: 'copy' });
	await vi.waitUntil(() => shown.length > 0);
	expect(shown[0]?.text).toContain('Not now.');
});

it('the document brings along the translations that its script says, and no others', () => {
	fakeVscode({ l10n: { bundle: { Stop: '停止', '</script>': '</script>', Other: '其他' } } });
	const { panel } = open();
	const [, texts = ''] = /id="texts">(.*)<\/script>/.exec(panel.webview.html) ?? [];
	expect(JSON.parse(texts)).toEqual({ Stop: '停止', Show: 'Show', '</script>': '</script>' });
	expect(texts).not.toContain('<');
});
