import { startPage } from './common/host.ts';
import { startResult } from './result/result.tsx';
import { startTimeline } from './timeline/timeline.tsx';
import { startTrials } from './trials/trials.tsx';

/** The script of the pages that show what has happened. They share most of it. */
startPage({ result: startResult, timeline: startTimeline, trials: startTrials });
