import type { Answer } from '../../api/schema_types';

export type ToolsView = Answer<'OpsTools'>;
/** The figures of one tool since `countedSince`, of all gateways. */
export type ToolFigures = ToolsView['tools'][number];
