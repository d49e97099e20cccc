/** Checks the tools that a caller declares: their names, and the size of what goes to the model with each of its calls. */
import type { CallerTool } from '../port/caller';
import { UNNAMED_CALL } from '../port/llm';
import { isOfObjects } from '../utils/is_of_objects';
import { isDeeperThan } from '../utils/json_depth';
import { refusal } from './refusal';

/** A declared function; `at` is the JSON pointer of its object. */
export interface DeclaredFunction {
  at: string;
  /** JSON pointer of the schema. Absent: `parameters` of the object. */
  schemaAt?: string;
  name: string;
  description?: string | null | undefined;
  parameters?: Record<string, unknown> | null | undefined;
}

const MAX_TOOLS = 128;
const MAX_DESCRIPTION_UNITS = 32_768;
const MAX_SCHEMA_BYTES = 64 * 1024;
const MAX_ALL_BYTES = 256 * 1024;
const MAX_SCHEMA_DEPTH = 32;
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** Names that mean something else in an object, or in the history of a run. */
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', UNNAMED_CALL]);

/** Returns the tools in their order. Throws `invalid_request` or `too_large`; `param` is the pointer of the field. */
export function toCallerTools(declared: readonly DeclaredFunction[], listAt: string): CallerTool[] {
  if (declared.length > MAX_TOOLS)
    throw refusal(listAt, `has ${declared.length} tools; ${MAX_TOOLS} are allowed`, `有 ${declared.length} 个工具；最多 ${MAX_TOOLS} 个`);
  const names = new Set<string>();
  let bytes = 0;
  return declared.map(({ at, schemaAt = `${at}/parameters`, name, description, parameters }) => {
    checkName(`${at}/name`, name, names);
    names.add(name);
    if ((description?.length ?? 0) > MAX_DESCRIPTION_UNITS)
      throw refusal(`${at}/description`, `must have at most ${MAX_DESCRIPTION_UNITS} characters`, `最多 ${MAX_DESCRIPTION_UNITS} 个字符`);
    const schema = parameters ?? { type: 'object', properties: {} };
    bytes += checkSchema(schemaAt, schema);
    if (bytes > MAX_ALL_BYTES)
      throw refusal(
        listAt,
        `the schemas have more than ${MAX_ALL_BYTES / 1024} KiB together`,
        `各 schema 合计超过 ${MAX_ALL_BYTES / 1024} KiB`,
      );
    return { name, description: description ?? '', parameters: schema };
  });
}

function checkName(at: string, name: string, names: ReadonlySet<string>): void {
  if (!NAME.test(name)) throw refusal(at, 'must have 1 to 64 letters, digits, _ or -', '必须是 1 到 64 个字母、数字、_ 或 -');
  if (RESERVED.has(name)) throw refusal(at, 'is reserved; choose another name', '是保留名称；请换一个');
  if (names.has(name)) throw refusal(at, 'stands twice in the list', '在列表中出现了两次');
}

/** Returns the size of the schema in bytes. */
function checkSchema(at: string, schema: Record<string, unknown>): number {
  if ('type' in schema && !isOfObjects(schema)) throw refusal(at, 'must be the JSON Schema of an object', '必须是对象的 JSON Schema');
  const text = JSON.stringify(schema);
  if (isDeeperThan(text, MAX_SCHEMA_DEPTH))
    throw refusal(at, `is nested deeper than ${MAX_SCHEMA_DEPTH} levels`, `嵌套超过 ${MAX_SCHEMA_DEPTH} 层`);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_SCHEMA_BYTES)
    throw refusal(at, `has ${bytes} bytes; ${MAX_SCHEMA_BYTES} are allowed`, `有 ${bytes} 字节；最多 ${MAX_SCHEMA_BYTES} 字节`);
  return bytes;
}
