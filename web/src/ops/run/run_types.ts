import type { Answer } from '../../api/schema_types';

export type RunDetail = Answer<'OpsRunDetail'>;
export type RunFacts = RunDetail['run'];
export type WaterfallRow = RunDetail['waterfall'][number];
