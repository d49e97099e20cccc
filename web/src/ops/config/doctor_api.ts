import { callRest } from '../../api/call_rest';

export interface DoctorCheck {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  /** In the language of the page. */
  message: string;
}

export interface DoctorReport {
  /** True when nothing fails. */
  ok: boolean;
  checks: readonly DoctorCheck[];
}

/** Checks the gateway. Takes seconds: it calls the model and the MCP servers. */
export const readDoctor = (): Promise<DoctorReport> => callRest('GET', '/ops/doctor');
