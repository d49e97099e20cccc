import type { Answer } from '../../api/schema_types';

export type LimitsView = Answer<'OpsLimits'>;
export type LimitRow = LimitsView['limits'][number];
export type Refusal = LimitsView['refusals'][number];
