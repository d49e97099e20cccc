/** Encodes inbound webhooks: ISO times, no tenant, no secret. */
import { toIsoTime } from '../../utils/iso_time';
import type { HookCallRecord, HookRecord } from './store/hook_records';

export function toWireHook({ tenantId: _tenant, secret: _secret, createdAt, updatedAt, ...hook }: HookRecord) {
  return { ...hook, createdAt: toIsoTime(createdAt), updatedAt: toIsoTime(updatedAt) };
}

export function toWireHookCall({ tenantId: _tenant, hookId: _hook, createdAt, ...call }: HookCallRecord) {
  return { ...call, createdAt: toIsoTime(createdAt) };
}
