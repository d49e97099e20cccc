/** Builds the request that the process of a tool reads from stdin. */
import type { ToolContext } from '../../tools/common';
import { definedFields } from '../../utils/defined_fields';
import type { CheckedCommand, ToolManifest } from './manifest_schema';
import type { SettingValues } from './setting_values';

export interface CallRequest {
  id: string;
  tool: string;
  command: string;
  parameters: Record<string, unknown>;
  context: Record<string, unknown>;
  settings: SettingValues;
}

export interface CallInput {
  manifest: ToolManifest;
  command: CheckedCommand;
  /** Valid arguments. */
  args: Record<string, unknown>;
  ctx: ToolContext;
}

/** Adds the defaults of top-level parameters. The fields of the gateway in `context` replace those of the caller. */
export function createCallRequest(id: string, { manifest, command, args, ctx }: CallInput, settings: SettingValues): CallRequest {
  const { tenantId, sessionId, runId, toolCallId, locale, workspace } = ctx;
  // A direct call has no session and no run, so its caller may not name one.
  const { sessionId: _session, runId: _run, ...callContext } = ctx.callContext ?? {};
  return {
    id,
    tool: manifest.name,
    command: command.name,
    parameters: { ...defaultsOf(command.parameters), ...args },
    context: {
      ...callContext,
      tenantId,
      ...definedFields({ sessionId, runId }),
      toolCallId,
      locale,
      workspace: workspace.root,
    },
    settings,
  };
}

/** Returns the defaults of top-level parameters. */
export function defaultsOf({ properties }: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(properties as Record<string, { default?: unknown } | boolean>);
  return Object.fromEntries(
    entries.flatMap(([name, schema]) => (typeof schema === 'object' && 'default' in schema ? [[name, schema.default]] : [])),
  );
}
