/** The prompt library of a tenant: texts with variables that people insert into messages by name. */
import { AppError } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { Principal } from '../../port/principal';
import type { Page, PageRequest } from '../../port/store/page';
import type { Store, StoreReader } from '../../port/store/store';
import { OncePerKey } from '../../service/once_per_key';
import { namesOfVariables, type PromptVariable, variablesOf } from '../../utils/prompt_variables';
import type { PromptFilter, PromptRecord } from './store/prompt_records';

const MAX_PROMPTS = 500;
const MAX_VARIABLES = 20;

export interface PromptInput {
  name: string;
  text: string;
  variables?: readonly PromptVariable[];
}

/** The services of this feature, by the names under which its controllers inject them. */
export interface PromptServices {
  promptService: PromptService;
}

export class PromptService {
  constructor(private readonly deps: { store: Store; clock: Clock; ids: IdSource }) {}

  /**
   * Rejects `invalid_request` for a name that is taken, and `quota_exceeded`. With the key of an earlier request it resolves with the prompt of that
   * request.
   */
  async createPrompt({ tenantId, keyName }: Principal, input: PromptInput, once = new OncePerKey()): Promise<PromptRecord> {
    const { store, clock, ids } = this.deps;
    const now = clock.now();
    const { name, text } = input;
    const prompt = {
      tenantId,
      id: ids.next('prm'),
      name,
      text,
      variables: checkedVariables(text, input.variables),
      keyName,
      createdAt: now,
      updatedAt: now,
    };
    await store.transaction({ tenant: tenantId, ...once.lockOf(tenantId) }, tx =>
      once.makeOnce(tx, { tenantId, now }, async () => {
        if ((await tx.prompts.count(tenantId)) >= MAX_PROMPTS) throw tooMany();
        await assertFree(tx, prompt);
        await tx.prompts.put(prompt);
        return prompt.id;
      }),
    );
    return once.replayedId === undefined ? prompt : this.getPrompt(tenantId, once.replayedId);
  }

  /** Rejects `not_found`. */
  async getPrompt(tenantId: string, id: string): Promise<PromptRecord> {
    const prompt = await this.deps.store.read.prompts.get(tenantId, id);
    if (!prompt) throw noPrompt();
    return prompt;
  }

  listPrompts(tenantId: string, filter: PromptFilter, page: PageRequest): Promise<Page<PromptRecord>> {
    return this.deps.store.lists.prompts.list(tenantId, filter, page);
  }

  /** Fields that are absent stay as they are. Rejects `not_found`, and `invalid_request` for a name that is taken. */
  updatePrompt({ tenantId, keyName }: Principal, id: string, change: Partial<PromptInput>): Promise<PromptRecord> {
    const { store, clock } = this.deps;
    return store.transaction({ tenant: tenantId }, async tx => {
      const old = await tx.prompts.get(tenantId, id);
      if (!old) throw noPrompt();
      const { name = old.name, text = old.text } = change;
      const variables = checkedVariables(text, change.variables ?? old.variables);
      const prompt = { ...old, name, text, variables, keyName, updatedAt: clock.now() };
      await assertFree(tx, prompt);
      await tx.prompts.put(prompt);
      return prompt;
    });
  }

  /** Rejects `not_found`. */
  async deletePrompt(tenantId: string, id: string): Promise<void> {
    if (!(await this.deps.store.transaction('none', tx => tx.prompts.delete(tenantId, id)))) throw noPrompt();
  }
}

async function assertFree(read: Pick<StoreReader, 'prompts'>, { tenantId, id, name }: PromptRecord): Promise<void> {
  const other = await read.prompts.findByName(tenantId, name);
  if (other && other.id !== id) throw nameTaken(name);
}

function checkedVariables(text: string, described: readonly PromptVariable[] = []): PromptVariable[] {
  if (namesOfVariables(text).length > MAX_VARIABLES) throw tooManyVariables();
  return variablesOf(text, described);
}

const noPrompt = (): AppError =>
  new AppError('not_found', { param: '/id', message: 'There is no such prompt.', messageZh: '没有这个提示词。' });

const nameTaken = (name: string): AppError =>
  new AppError('invalid_request', {
    param: '/name',
    message: `/name: another prompt has the name "${name}".`,
    messageZh: `/name：已有名为“${name}”的提示词。`,
  });

const tooMany = (): AppError =>
  new AppError('quota_exceeded', {
    message: `The library has ${MAX_PROMPTS} prompts, and holds no more. Delete one first.`,
    messageZh: `提示词库已有 ${MAX_PROMPTS} 条，不能再多。请先删除一条。`,
  });

const tooManyVariables = (): AppError =>
  new AppError('invalid_request', {
    param: '/text',
    message: `/text: a prompt has at most ${MAX_VARIABLES} variables.`,
    messageZh: `/text：一个提示词最多有 ${MAX_VARIABLES} 个变量。`,
  });
