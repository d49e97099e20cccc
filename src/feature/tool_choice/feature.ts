/** Chooses tools by relevance when an agent may have more than a model should get. */
import type { Feature } from '../../feature';
import { ToolChooser } from './tool_chooser';
import { ToolMeanings } from './tool_meanings';

export const toolChoice: Feature = {
  name: 'tool_choice',
  install({ settings, ports: { store, clock, logger }, agentDirectory: agents, tools, skills, embeddingService: embeddings }) {
    const toolMeanings = new ToolMeanings({ embeddings, tools });
    const budget = settings.toolBudget;
    return { toolChoice: new ToolChooser({ store, clock, tools, agents, skills, toolMeanings, budget, onError: logger.error }) };
  },
};
