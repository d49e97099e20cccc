import type { Answer } from '../../api/schema_types';

export type Overview = Answer<'OpsOverview'>;
/** One gateway on the store. */
export type GatewayNode = Overview['nodes'][number];
