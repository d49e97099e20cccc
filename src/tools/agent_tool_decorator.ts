/** Tools as methods of a class that a framework creates and injects services into. Other tools use `defineTool`. */
import type { Static, TObject } from '@sinclair/typebox';
import { type AgentTool as Tool, type ToolContext, type ToolResult, textResult } from './common';

/** A method may also return only the text for the model. */
type ToolMethod<P extends TObject> = (args: Static<P>, ctx: ToolContext) => Promise<ToolResult | string> | ToolResult | string;

export type AgentToolOptions<P extends TObject> = Omit<Tool, 'parameters' | 'execute'> & { parameters: P };

/**
 * Makes a method a tool; `toolsOf` finds it. The arguments are validated before the method is called, and `this` is the instance. The method may
 * return only the text for the model. A subclass inherits the tools of its parents; a method that it overrides is called instead.
 * @example
 * import { Provide } from '@midwayjs/core';
 * import { type Static, Type } from '@sinclair/typebox';
 * import { AgentTool } from './agent_tool_decorator';
 *
 * const GreetParameters = Type.Object({ name: Type.String({ maxLength: 100 }) }, { additionalProperties: false });
 *
 * @Provide()
 * export class GreetingTools {
 *   @AgentTool({
 *     name: 'greet',
 *     toolset: 'manners',
 *     label: 'Greet',
 *     description: 'Gives back a greeting for one person.',
 *     effect: 'read',
 *     parameters: GreetParameters,
 *   })
 *   greet({ name }: Static<typeof GreetParameters>): string {
 *     return `Hello ${name}`;
 *   }
 * }
 */
export function AgentTool<P extends TObject>(options: AgentToolOptions<P>) {
  return <M extends ToolMethod<P>>(prototype: object, method: string, _descriptor: TypedPropertyDescriptor<M>): void => {
    const own = Object.hasOwn(prototype, MARK) ? marksOf(prototype) : [];
    Object.defineProperty(prototype, MARK, { value: [...own, { method, options }], configurable: true });
  };
}

/**
 * Returns the tools of an instance in the order of the source, parents first. A tool of the same name replaces the parent's in its place.
 * @example
 * import { toolsOf } from './agent_tool_decorator';
 * import { ToolRegistry } from './registry';
 *
 * export const registryOf = (instance: object) => new ToolRegistry(toolsOf(instance));
 */
export function toolsOf(instance: object): Tool[] {
  const tools = new Map<string, Tool>();
  for (const prototype of prototypesOf(instance)) {
    for (const { method, options } of marksOf(prototype)) tools.set(options.name, toTool(instance, method, options));
  }
  return [...tools.values()];
}

interface Mark {
  method: string;
  options: AgentToolOptions<TObject>;
}

/** The decorator writes its marks on the prototype, so there is no global table of classes. */
const MARK = Symbol('tools');

const marksOf = (prototype: object): readonly Mark[] => (Object.getOwnPropertyDescriptor(prototype, MARK)?.value ?? []) as readonly Mark[];

function prototypesOf(instance: object): object[] {
  const prototypes: object[] = [];
  for (let prototype = Object.getPrototypeOf(instance); prototype; prototype = Object.getPrototypeOf(prototype))
    prototypes.unshift(prototype);
  return prototypes;
}

function toTool(instance: object, method: string, options: AgentToolOptions<TObject>): Tool {
  return {
    origin: 'code',
    ...options,
    async execute(args, ctx) {
      // The decorator accepts only methods of this type.
      const result = await (instance as Record<string, ToolMethod<TObject>>)[method]?.(args as Record<string, unknown>, ctx);
      return typeof result === 'object' ? result : textResult(result ?? '');
    },
  };
}
