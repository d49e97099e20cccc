/** An audit log that keeps nothing. */
import type { AuditRecorder } from '../../src/service/audit/audit_log';

export const NO_AUDIT: AuditRecorder = { record: async () => {} };
