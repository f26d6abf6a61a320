// @ts-check

/** What the site says itself; everything else comes from the READMEs and the documentation. */
export const texts = {
	en: {
		title: 'MCP Elicitation for VS Code',
		home: 'MCP Elicitation, home page',
		skip: 'Skip to content',
		docs: 'Docs',
		documentation: 'Documentation',
		source: 'Source code',
		pause: 'Pause the animation',
		pages: 'Pages of the documentation',
		footer: 'Free and open source, under the MIT license. This site sets no cookies and loads nothing from elsewhere.',
	},
	'zh-Hans': {
		title: 'MCP Elicitation：用于 VS Code',
		home: 'MCP Elicitation 首页',
		skip: '跳到正文',
		docs: '文档',
		documentation: '文档',
		source: '源代码',
		pause: '暂停动画',
		pages: '文档页面',
		footer: '自由开源软件，采用 MIT 许可证。本网站不使用 Cookie，也不从其他地方加载任何内容。',
	},
};
