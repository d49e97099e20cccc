/** The names of models at /v1: an agent is a model, and `agent@model` is an agent with a model of models.yaml. */
import { AppError } from '../../errors';
import type { AgentCaller, VisibleAgents } from '../../service/agent/visible_agents';
import type { ModelCatalog } from '../../service/model/model_catalog';

export interface NamedAgent {
  agent: string;
  /** Absent: the model of the agent. */
  model?: string;
}

export interface ModelNameDeps {
  visibleAgents: Pick<VisibleAgents, 'has'>;
  modelCatalog: Pick<ModelCatalog, 'has'>;
}

/** Finds the agent and the model that a name means to the caller. Throws `not_found` with the param `/model`. */
export function agentOfModel(name: string, caller: AgentCaller, { visibleAgents, modelCatalog }: ModelNameDeps): NamedAgent {
  const at = name.indexOf('@');
  const agent = at === -1 ? name : name.slice(0, at);
  const model = at === -1 ? undefined : name.slice(at + 1);
  if (visibleAgents.has(agent, caller) && (model === undefined || modelCatalog.has(model))) return { agent, model };
  throw new AppError('not_found', {
    param: '/model',
    message: `The model ${JSON.stringify(name.slice(0, 100))} does not exist. GET /v1/models lists the models.`,
    messageZh: `模型 ${JSON.stringify(name.slice(0, 100))} 不存在。GET /v1/models 列出所有模型。`,
  });
}
