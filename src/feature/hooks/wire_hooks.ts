/** Encodes inbound webhooks: ISO times, no tenant, no secret. */
import { toIsoTime } from '../../utils/iso_time';
import type { HookRecord } from './store/hook_records';

export function toWireHook({ tenantId: _tenant, secret: _secret, createdAt, updatedAt, ...hook }: HookRecord) {
  return { ...hook, createdAt: toIsoTime(createdAt), updatedAt: toIsoTime(updatedAt) };
}
