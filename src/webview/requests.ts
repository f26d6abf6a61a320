import { startPage } from './common/host.ts';
import { startForm } from './form/form.tsx';
import { startStart } from './start/start.tsx';
import { startUrl } from './url/url.tsx';

/** The script of the pages that wait for a decision. They share most of it. */
startPage({ form: startForm, start: startStart, url: startUrl });
