/** Decides whether unknown request fields are passed on or ignored, and names ignored fields in a header. */
import type { Context } from '@midwayjs/koa';
import type { TObject } from '@sinclair/typebox';
import type { AgentDirectory } from '../../service/agent/agent_directory';
import type { ModelCatalog } from '../../service/model/model_catalog';
import { readForeignFields } from '../../wire/openai/foreign_fields';
import type { NamedAgent } from './model_name';

/** Returns the names of the fields that the model server of an agent takes, and the servers of the models that stand in for it. */
export function takenFields(
  { agent, model }: NamedAgent,
  tenantId: string,
  { agentDirectory, modelCatalog }: { agentDirectory: AgentDirectory; modelCatalog: ModelCatalog },
): readonly string[] {
  return modelCatalog.foreignFieldsOf(model ?? agentDirectory.agentFor({ agent, locale: 'en', tenantId }).profile.model);
}

/** Returns the fields that go to the model server. The answer names the others in x-ignored-fields. */
export function passForeignFields(ctx: Context, body: object, { schema, taken }: { schema: TObject; taken: readonly string[] }) {
  const { passed, ignored } = readForeignFields(body, schema, taken);
  if (ignored !== undefined) ctx.set('x-ignored-fields', ignored);
  return passed;
}
