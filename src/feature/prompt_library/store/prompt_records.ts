/** Prompts that a tenant keeps for its people. Times are milliseconds since 1970. */
import type { Page, PageRequest } from '../../../port/store/page';
import type { PromptVariable } from '../../../utils/prompt_variables';

export interface PromptRecord {
  tenantId: string;
  id: string;
  /** Unique in the tenant; the page offers the prompt as `/name`. */
  name: string;
  text: string;
  /** One of each variable in the text, in the order of the text. */
  variables: readonly PromptVariable[];
  /** The key that wrote the present text. */
  keyName?: string;
  createdAt: number;
  updatedAt: number;
}

export interface PromptFilter {
  /** Words that name and text hold together, in any order; parts of words too. */
  words?: string;
  /** The beginning of the name. */
  prefix?: string;
}

export interface PromptReader {
  get(tenantId: string, id: string): Promise<PromptRecord | undefined>;
  findByName(tenantId: string, name: string): Promise<PromptRecord | undefined>;
  /** Lists the latest change first; of the same time, the higher id first. */
  list(tenantId: string, filter: PromptFilter, page: PageRequest): Promise<Page<PromptRecord>>;
  count(tenantId: string): Promise<number>;
}

export interface PromptWriter {
  /** Stores the prompt in the place of an earlier one with its id. Rejects with `internal` when another prompt has its name. */
  put(prompt: PromptRecord): Promise<void>;
  /** Resolves false when the prompt does not exist. */
  delete(tenantId: string, id: string): Promise<boolean>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly prompts: PromptReader;
  }
  interface StoreWriters {
    prompts: PromptWriter;
  }
}
