/** Makes names, texts and schemas of a server's tools safe to offer. They are data from a stranger. */
import type { McpTool } from '../../port/mcp';
import { type Bilingual, inBoth } from '../../utils/bilingual';
import { clipStart } from '../../utils/clip_text';
import { contentHash } from '../../utils/content_hash';
import { findInvisible, removeInvisible } from '../../utils/invisible_text';
import { toPlainText } from '../../utils/plain_text';

const MAX_NAME_UNITS = 64;
const HASH_UNITS = 8;
const MAX_LABEL_UNITS = 100;
const MAX_DESCRIPTION_UNITS = 4_000;
const MAX_SCHEMA_TEXT_UNITS = 1_000;
/** The most units of a schema, the same as in the registry. A longer schema is not walked. */
const MAX_SCHEMA_UNITS = 65_536;
/** Keywords whose value is text for people and models. */
const TEXT_KEYWORDS = new Set(['description', 'title', '$comment']);
/** Keywords whose value maps names to schemas. */
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

type JsonObject = Record<string, unknown>;

/**
 * Returns `<server>__<tool>`. A name that had to be changed or shortened ends with a hash of the tool's original name, so that it is the same after
 * each restart and differs from other shortened names.
 */
export function toolName(server: string, tool: string): string {
  const clean = tool.replace(/[^A-Za-z0-9_-]/g, '_');
  const name = `${server}__${clean}`;
  if (clean === tool && tool !== '' && name.length <= MAX_NAME_UNITS) return name;
  return `${name.slice(0, MAX_NAME_UNITS - HASH_UNITS - 1)}_${contentHash(tool).slice(0, HASH_UNITS)}`;
}

export function toolLabel({ name, title }: McpTool): string {
  const label = clipStart(foreignText(title ?? '', MAX_LABEL_UNITS).replace(/\s+/g, ' '), MAX_LABEL_UNITS);
  return label || clipStart(foreignText(name, MAX_LABEL_UNITS), MAX_LABEL_UNITS) || 'tool';
}

/** The description ends with the server's name, so that the model can tell whose words it reads. */
export function toolDescription({ description = '' }: McpTool, server: string): string {
  const text = foreignText(description, MAX_DESCRIPTION_UNITS);
  const source = `(Tool and description of the MCP server "${server}".)`;
  return text === '' ? source : `${text}\n${source}`;
}

/**
 * Removes characters that show nothing and takes the meaning from markup with which our prompts mark their blocks: tags and headings. `limit`: units
 * that are kept.
 */
export function foreignText(text: string, limit: number): string {
  const plain = toPlainText(clipStart(text, 2 * limit));
  const visible = findInvisible(plain) === undefined ? plain : removeInvisible(plain);
  const harmless = visible.replace(/<(?=[A-Za-z/!?])/g, '‹').replace(/^[ \t]*#{1,6}[ \t]+/gm, '');
  return harmless.length > limit ? `${clipStart(harmless, limit - 4)} ...` : harmless;
}

/** Returns the schema with safe texts, or a clause that says why the schema cannot be offered. */
export function toolSchema({ inputSchema }: McpTool): { schema: JsonObject } | { problem: Bilingual } {
  if (!inputSchema) return { problem: NO_SCHEMA };
  const text = JSON.stringify(inputSchema);
  if (text.length > MAX_SCHEMA_UNITS) return { problem: LONG_SCHEMA };
  if (/"__proto__"\s*:/.test(text))
    return { problem: inBoth('its schema has a part named __proto__', '其 schema 中有名为 __proto__ 的部分') };
  const safe = withSafeTexts(inputSchema, false) as JsonObject;
  // Some servers leave the type out for tools without arguments.
  return { schema: 'type' in safe ? safe : { type: 'object', ...safe } };
}

const NO_SCHEMA = inBoth(
  'it has no schema for its arguments, or one with more than 100 levels',
  '它没有参数的 schema，或 schema 超过 100 层',
);
const LONG_SCHEMA = inBoth(`its schema has more than ${MAX_SCHEMA_UNITS} characters`, `其 schema 超过 ${MAX_SCHEMA_UNITS} 个字符`);

/** `isMap`: the keys are names of properties, not keywords. Deep values were refused by the adapter before. */
function withSafeTexts(value: unknown, isMap: boolean): unknown {
  if (Array.isArray(value)) return value.map(part => withSafeTexts(part, false));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      const isText = !isMap && typeof part === 'string' && TEXT_KEYWORDS.has(key);
      return [key, isText ? foreignText(part, MAX_SCHEMA_TEXT_UNITS) : withSafeTexts(part, !isMap && SCHEMA_MAPS.has(key))];
    }),
  );
}
