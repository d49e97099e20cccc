/** Fields of requests to /v1 that have no meaning here: clients send fields of other servers. They go to the model server, or are ignored by name. */
import type { Context } from '@midwayjs/koa';
import type { TObject } from '@sinclair/typebox';
import type { AgentDirectory } from '../../service/agent/agent_directory';
import type { ModelCatalog } from '../../service/model/model_catalog';
import type { NamedAgent } from './model_name';

const MAX_NAMES = 50;
const MAX_NAME_UNITS = 64;

/** Returns the fields of a body without those that are null, which count as absent. Other values are returned as they are. */
export function withoutNulls(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** Returns the names of the fields that the model server of an agent takes, and the servers of the models that stand in for it. */
export function takenFields(
  { agent, model }: NamedAgent,
  tenantId: string,
  { agentDirectory, modelCatalog }: { agentDirectory: AgentDirectory; modelCatalog: ModelCatalog },
): readonly string[] {
  return modelCatalog.foreignFieldsOf(model ?? agentDirectory.agentFor({ agent, locale: 'en', tenantId }).profile.model);
}

/**
 * Returns the fields that go to the model server. The answer names the others, sorted, in x-ignored-fields. `schema`: names the fields with a meaning.
 * `taken`: names of fields that the model server takes.
 */
export function passForeignFields(ctx: Context, body: object, { schema, taken }: { schema: TObject; taken: readonly string[] }) {
  const foreign = Object.entries(body).filter(([name, value]) => value !== null && !Object.hasOwn(schema.properties, name));
  const ignored = foreign.map(([name]) => name).filter(name => !taken.includes(name));
  const written = ignored.map(name => encodeURIComponent(name.slice(0, MAX_NAME_UNITS).toWellFormed())).toSorted();
  if (written.length > 0) ctx.set('x-ignored-fields', written.slice(0, MAX_NAMES).join(', '));
  return Object.fromEntries(foreign.filter(([name]) => taken.includes(name)));
}
