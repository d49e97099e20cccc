/** Encodes prompts: ISO times, no tenant. */
import { toIsoTime } from '../../utils/iso_time';
import type { PromptRecord } from './store/prompt_records';

export function toWirePrompt({ tenantId: _tenant, createdAt, updatedAt, ...prompt }: PromptRecord) {
  return { ...prompt, createdAt: toIsoTime(createdAt), updatedAt: toIsoTime(updatedAt) };
}
