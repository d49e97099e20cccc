/** Titles of chats by the model: after the first answer of a chat, the model writes a short title for it. */
import type { Feature } from '../../feature';
import { TitleWriter } from './title_writer';

export const titles: Feature = {
  name: 'titles',
  install({ settings, ports: { store, clock, logger }, llm, agentDirectory: agents, modelCatalog: models, dayBudgets, sessionWatch }) {
    if (settings.titles !== 'model') return {};
    const writer = new TitleWriter({ store, clock, llm, agents, models, dayBudgets, sessionWatch, onError: logger.error });
    return {
      onRun: {
        ending: (_tx, run, { status }) => writer.noteEnd(run, status),
        closed: run => writer.writeTitleOf(run),
      },
      endWork: () => writer.stop(),
    };
  },
};
