/** Encodes prompts: ISO times, no tenant. */
import type { PromptRecord } from './store/prompt_records';

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

export function toWirePrompt({ tenantId: _tenant, createdAt, updatedAt, ...prompt }: PromptRecord) {
  return { ...prompt, createdAt: iso(createdAt), updatedAt: iso(updatedAt) };
}
