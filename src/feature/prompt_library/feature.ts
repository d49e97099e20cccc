/** The prompt library: texts with variables that people insert into messages by name. */
import type { Feature } from '../../feature';
import { allOf } from '../../service/all_pages';
import { PromptService, type PromptServices } from './prompt_service';
import { PromptsController } from './routes';
import { promptStore } from './store/prompt_store';
import { toWirePrompt } from './wire_prompt';

export const promptLibrary: Feature = {
  name: 'prompt_library',
  routes: [PromptsController],
  store: promptStore,
  install({ ports: { store, clock, ids } }) {
    return {
      services: { promptService: new PromptService({ store, clock, ids }) } satisfies PromptServices,
      async *exportData(read, tenantId) {
        for await (const record of allOf(page => read.prompts.list(tenantId, {}, page)))
          yield {
            type: 'feature',
            name: 'prompt',
            data: toWirePrompt(record),
            by: record.keyName,
            erase: tx => tx.prompts.delete(tenantId, record.id),
          };
      },
    };
  },
};
