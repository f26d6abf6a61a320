// Every extension imports it; the editor's own loader provides it.
import 'vscode';

export const activate = () => {};
