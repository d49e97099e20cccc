/** Checks requests to call a command of a manifest, before anything runs. */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { fieldMessage } from '../../service/config_file_check';
import { validateArguments } from '../../tools/validation';
import { closedObject, Optional } from '../../utils/schema_types';
import type { ToolManifest } from './manifest_schema';

const ToolCallRequest = closedObject({
  /** Name of a manifest. */
  toolName: Type.String({ minLength: 1, maxLength: 64 }),
  command: Type.String({ minLength: 1, maxLength: 64 }),
  parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  /** Milliseconds. */
  timeout: Optional.Integer({ minimum: 1, maximum: 600_000 }),
  context: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type ToolCallRequest = Static<typeof ToolCallRequest>;

/** A mistake in a request; the message reads `field: reason.` */
export class ToolCallValidationError extends Error {
  constructor(
    /** JSON pointer. */
    readonly field: string,
    readonly reason: string,
  ) {
    super(`${field}: ${reason}.`);
    this.name = 'ToolCallValidationError';
  }
}

const checker = TypeCompiler.Compile(ToolCallRequest);

/** Returns the request with its parameters. Throws a ToolCallValidationError about the first mistake. */
export function validateToolCall(
  data: unknown,
  findManifest: (name: string) => ToolManifest | undefined,
): ToolCallRequest & { parameters: Record<string, unknown> } {
  if (!checker.Check(data)) {
    const error = checker.Errors(data).First();
    throw new ToolCallValidationError(error?.path || '/', error ? fieldMessage(error) : 'is not a tool call');
  }
  const manifest = findManifest(data.toolName);
  if (!manifest) throw new ToolCallValidationError('/toolName', `there is no manifest ${data.toolName}`);
  const command = manifest.commands.find(({ name }) => name === data.command);
  if (!command) {
    const known = manifest.commands.map(({ name }) => name).join(', ');
    throw new ToolCallValidationError('/command', `there is no command ${data.command}; ${manifest.name} has ${known}`);
  }
  const { parameters = {} } = data;
  const checked = validateArguments({ name: `${manifest.name} ${command.name}`, parameters: command.parameters }, parameters);
  if (!checked.ok) throw new ToolCallValidationError('/parameters', firstProblem(checked.message));
  // The schema describes an object, so the checked value is one.
  return { ...data, parameters: checked.value as Record<string, unknown> };
}

/** The message is for a model; its list of problems begins with the second line. */
const firstProblem = (message: string): string => (message.split('\n')[1] ?? message).replace(/^- /, '').replace(/\.$/, '');
