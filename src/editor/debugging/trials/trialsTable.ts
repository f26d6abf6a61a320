import { shorten } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import type { Json, JsonObject } from '../../../elicitation/json.ts';
import { writeJson } from '../../../elicitation/jsonText.ts';
import { render, type Sentence } from '../../../elicitation/sentence.ts';
import { type Observation, outcomeSentence, type Remark } from '../../../trials/observe.ts';
import { isWarned, type ShownRun, type TrialOutcome, type TrialsModel } from '../../../trialsProtocol.ts';
import { localize } from '../../common/localize.ts';
import type { PlannedRun, Trial } from './trial.ts';

/** Max length of a response in the table (characters). */
const MAX_RESPONSE_LENGTH = 160;

const FAILURES: ReadonlySet<TrialOutcome> = new Set(['isError', 'error', 'failed']);

type Redact = (value: Json) => Json;

/** The results of a trial's runs, as a table. */
export class TrialsTable {
	readonly #observations = new Map<PlannedRun, Observation>();
	#current: PlannedRun | undefined;
	#closed = false;

	constructor(readonly trial: Trial) {}

	get done(): number {
		return this.#observations.size;
	}

	begin(run: PlannedRun): void {
		this.#current = run;
	}

	end(run: PlannedRun, observation: Observation): void {
		this.#current = undefined;
		this.#observations.set(run, observation);
	}

	/** No more runs will start. */
	close(): void {
		this.#current = undefined;
		this.#closed = true;
	}

	/** The observation of a row. */
	observation(index: number): Observation | undefined {
		const run = this.trial.runs[index];
		return run && this.#observations.get(run);
	}

	get model(): TrialsModel {
		return this.modelOf((value) => value);
	}

	/** @param redact redacts a value before it is shortened */
	modelOf(redact: Redact): TrialsModel {
		const { heading, about, server, call, runs } = this.trial;
		const rows = runs.map((run) => this.#row(run, redact));
		return {
			heading: render(heading, localize),
			about: render(about, localize),
			server,
			call,
			revisions: this.trial.revisions === true,
			senders: runs.some(({ senders }) => senders),
			rows,
			running: !this.#closed,
			progress: this.#progress(rows),
		};
	}

	#progress(rows: readonly ShownRun[]): string {
		const { length } = this.trial.runs;
		if (!this.#closed) {
			return localize('{0} of {1} done', this.done, length);
		}
		const done =
			this.done === length
				? localize('All {0} done', length)
				: localize('Cancelled: {0} of {1} done', this.done, length);
		const warned = rows.filter(isWarned).length;
		return warned > 0 ? localize('{0} · {1} with a warning', done, warned) : done;
	}

	#row(run: PlannedRun, redact: Redact): ShownRun {
		const observation = this.#observations.get(run);
		const sent =
			run.sent ??
			(run.showsAnswer && observation?.elicitations.map(contentOf).find((content) => content !== undefined));
		const planned = {
			name: render(run.name, localize),
			...(sent !== undefined && { sent: shorten(writeJson(redact(sent)), MAX_RESPONSE_LENGTH) }),
			...(run.senders && { senders: sendersTexts(run.senders) }),
			...(run.mark && { mark: render(run.mark, localize) }),
		};
		if (!observation) {
			const state = run === this.#current ? 'running' : this.#closed ? 'skipped' : 'planned';
			return { ...planned, state, outcomeText: stateText(state), notes: [], called: false };
		}
		const { outcome, message, elicitations, call, notes, revision, violations = [] } = observation;
		const remarks: Remark[] = [
			...notes.map((text) => ({ text, warning: false })),
			...violations.map((text) => ({ text, warning: true })),
			...(run.judge?.(observation) ?? []),
		];
		const refusal = FAILURES.has(outcome) ? run.refusal?.(observation) : undefined;
		const text = render(outcomeSentence(outcome), localize);
		return {
			...planned,
			state: 'ended',
			outcome,
			...(refusal && { refusal }),
			outcomeText: refusal === 'expected' ? localize('{0}, as expected', text) : text,
			words: messageText(message),
			elicitations: elicitations.length,
			...(revision !== undefined && { revision }),
			...(call && { serverTime: call.clock.serverTime }),
			notes: remarks.map(({ text, warning }) => ({ text: render(text, localize), warning })),
			called: call !== undefined,
		};
	}
}

/** The content that a form was accepted with. */
function contentOf({ response }: Elicitation): JsonObject | undefined {
	return response?.action === 'accept' ? response.content : undefined;
}

function sendersTexts({ measured, documented }: NonNullable<PlannedRun['senders']>): string[] {
	return [...measured, ...documented.map((name) => localize('{0} (documented)', name))];
}

function messageText(message: string | Sentence): string {
	return typeof message === 'string' ? message : render(message, localize);
}

function stateText(state: 'planned' | 'running' | 'skipped'): string {
	switch (state) {
		case 'planned':
			return localize('not run yet');
		case 'running':
			return localize('Running…');
		case 'skipped':
			return localize('not run');
	}
}
