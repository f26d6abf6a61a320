// Replaces @vscode/spdlog, whose native part isn't compiled here, so that logs and output channels have content.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];

class Logger {
	#file;
	#level = 2;
	#bare = false;

	constructor(_type, _name, file) {
		this.#file = file;
	}

	#write(level, message) {
		if (level >= this.#level) {
			const time = new Date().toISOString().replace('T', ' ').slice(0, -1);
			appendFileSync(this.#file, this.#bare ? message : `${time} [${LEVELS[level]}] ${message}\n`);
		}
	}

	trace = (message) => this.#write(0, message);
	debug = (message) => this.#write(1, message);
	info = (message) => this.#write(2, message);
	warn = (message) => this.#write(3, message);
	error = (message) => this.#write(4, message);
	critical = (message) => this.#write(5, message);
	getLevel = () => this.#level;
	setLevel = (level) => {
		this.#level = level;
	};
	setPattern() {}
	clearFormatters() {
		this.#bare = true;
	}
	flush() {}
	drop() {}
}

async function createLogger(name, file) {
	mkdirSync(dirname(file), { recursive: true });
	return new Logger('', name, file);
}

// Assigned individually, because the editor imports this as an ES module, which detects only such exports.
exports.version = 0;
exports.Logger = Logger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
