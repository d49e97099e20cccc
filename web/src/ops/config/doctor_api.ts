import { callRest } from '../../api/call_rest';
import type { Answer } from '../../api/schema_types';

/** The findings are in the language of the page. */
type DoctorReport = Answer<'OpsDoctor'>;
export type DoctorCheck = DoctorReport['checks'][number];

/** Checks the gateway. Takes seconds: it calls the model and the MCP servers. */
export const readDoctor = (): Promise<DoctorReport> => callRest('GET', '/ops/doctor');
