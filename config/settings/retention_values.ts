/** What the gateway reads from the settings of retention. */
import type { SettingValues } from './settings_schema';

/** Returns days. */
export const toRetention = (values: SettingValues) => ({
  sessions: values.NETA_KEEP_SESSIONS_DAYS,
  temporarySessions: values.NETA_KEEP_TEMPORARY_DAYS,
  statelessSessions: values.NETA_KEEP_OPENAI_DAYS,
  responses: values.NETA_KEEP_RESPONSES_DAYS,
  events: values.NETA_KEEP_EVENTS_DAYS,
  directCalls: values.NETA_KEEP_DIRECT_CALLS_DAYS,
  deliveries: values.NETA_KEEP_DELIVERIES_DAYS,
  audit: values.NETA_KEEP_AUDIT_DAYS,
  usage: values.NETA_KEEP_USAGE_DAYS,
});
