/** `functions` and `function_call`, the form of OpenAI before tools: read as tools, so that the rest of the door knows one form. */
import { refusal } from '../../../wire/refusal';

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns true for a request that wants its calls back in the old form. */
export const isOldForm = ({ functions }: { functions?: unknown }): boolean => functions !== undefined;

/** Returns the body with tools and tool_choice instead; any other value as it is. Throws `invalid_request`. */
export function readOldFunctions(body: unknown): unknown {
  if (!isFields(body)) return body;
  const { functions, function_call: choice } = body;
  if (functions === undefined && choice === undefined) return body;
  for (const [old, now] of [
    ['functions', 'tools'],
    ['function_call', 'tool_choice'],
  ] as const) {
    if (body[old] !== undefined && body[now] !== undefined)
      throw refusal(`/${old}`, `is the older form of ${now}; send one of them`, `是 ${now} 的旧形式；请只发送其中一个`);
  }
  if (functions === undefined) throw refusal('/function_call', 'needs functions', '需要 functions');
  if (!Array.isArray(functions) || !functions.every(isFields))
    throw refusal('/functions', 'must be a list of functions', '必须是函数的列表');
  return {
    ...body,
    tools: functions.map(declared => ({ type: 'function', function: declared })),
    ...(choice !== undefined && { tool_choice: readChoice(choice) }),
    // The old form has room for one call, so parallel calls are off unless the body says otherwise.
    ...(body['parallel_tool_calls'] === undefined && { parallel_tool_calls: false }),
  };
}

function readChoice(choice: unknown): unknown {
  if (choice === 'auto' || choice === 'none') return choice;
  if (isFields(choice) && typeof choice['name'] === 'string') return { type: 'function', function: { name: choice['name'] } };
  throw refusal('/function_call', 'must be auto, none, or an object with the name of a function', '必须是 auto、none，或带有函数名的对象');
}

/** Gives calls of the old form, which have no ids, the ids of their place. */
export class OldCalls {
  private readonly open: { id: string; name: string }[] = [];

  /** Adds the old-form call of an assistant message and returns it as one of its tool_calls. `index`: index of the message. */
  addCall(call: unknown, index: number): Fields {
    const { name } = isFields(call) ? call : {};
    const id = `function_${index}`;
    this.open.push({ id, name: String(name) });
    return { id, type: 'function', function: call };
  }

  /** The id of the first call of the function that has no result yet. */
  takeResult(name: unknown): string | undefined {
    const index = this.open.findIndex(call => call.name === name);
    return index < 0 ? undefined : this.open.splice(index, 1)[0]?.id;
  }
}
