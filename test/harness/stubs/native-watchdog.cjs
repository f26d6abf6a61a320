// Replaces @vscode/native-watchdog, whose native part isn't compiled here: ends this process when its parent is gone.
exports.start = (pid) => {
	const watch = setInterval(() => {
		try {
			process.kill(pid, 0);
		} catch {
			process.exit(0);
		}
	}, 2000);
	watch.unref();
};
exports.exit = (code) => process.exit(code);
