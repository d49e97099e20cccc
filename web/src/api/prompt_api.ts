/** The prompt library. Every failure rejects with a RequestError. */
import type { PromptVariable } from '../../../src/utils/prompt_variables';
import { callRest } from './call_rest';
import type { Page } from './rest_types';

/** Times are ISO-8601 UTC. */
export interface Prompt {
  id: string;
  name: string;
  text: string;
  variables: readonly PromptVariable[];
  updatedAt: string;
}

export type PromptFields = Pick<Prompt, 'name' | 'text' | 'variables'>;

/** `q`: words of name and text. `prefix`: the beginning of the name. */
interface PromptQuery {
  q?: string;
  prefix?: string;
  limit: number;
  cursor?: string | undefined;
}

const pathOf = (id: string): string => `/prompts/${encodeURIComponent(id)}`;

export function listPrompts({ q, prefix, limit, cursor }: PromptQuery): Promise<Page<Prompt>> {
  const given = Object.entries({ q, prefix, cursor }).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return callRest('GET', `/prompts?${new URLSearchParams([['limit', String(limit)], ...given])}`);
}

export const addPrompt = (fields: PromptFields): Promise<Prompt> => callRest('POST', '/prompts', fields);
export const editPrompt = (id: string, fields: PromptFields): Promise<Prompt> => callRest('PATCH', pathOf(id), fields);
export const deletePrompt = (id: string): Promise<void> => callRest('DELETE', pathOf(id));
