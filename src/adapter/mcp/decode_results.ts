/** Decodes what servers send. Fields of the wrong type are left out: one odd entry must not spoil the others. */
import type { McpCallResult, McpContent, McpResource, McpTool } from '../../port/mcp';

type JsonObject = Record<string, unknown>;

const MAX_PARTS = 1_000;
/** Messages over HTTP are parsed by the SDK, without a limit. */
const MAX_DEPTH = 100;
const MAX_APP_URI_UNITS = 500;

/** Returns undefined for an entry without a name. */
export function decodeTool(value: unknown): McpTool | undefined {
  if (!isObject(value) || typeof value['name'] !== 'string') return undefined;
  const { name, description, inputSchema, annotations, execution } = value;
  const title = [value['title'], isObject(annotations) ? annotations['title'] : undefined].find(text => typeof text === 'string');
  return {
    name,
    title,
    description: typeof description === 'string' ? description : undefined,
    inputSchema: isObject(inputSchema) && !isTooDeep(inputSchema) ? inputSchema : undefined,
    needsTask: (isObject(execution) && execution['taskSupport'] === 'required') || undefined,
    ...decodeApp(value['_meta']),
  };
}

/** Reads what MCP Apps (SEP-1865) says about a tool. The key with a slash is the older form. */
function decodeApp(meta: unknown): Pick<McpTool, 'appUri' | 'isForAppsOnly'> {
  if (!isObject(meta)) return {};
  const ui = isObject(meta['ui']) ? meta['ui'] : {};
  const { visibility } = ui;
  const uri = ui['resourceUri'] ?? meta['ui/resourceUri'];
  const isUsable = typeof uri === 'string' && uri.startsWith('ui://') && uri.length <= MAX_APP_URI_UNITS;
  return {
    appUri: isUsable ? uri : undefined,
    isForAppsOnly: (Array.isArray(visibility) && visibility.length > 0 && !visibility.includes('model')) || undefined,
  };
}

/** Returns the parts of a resource. */
export function decodeResources({ contents }: JsonObject): McpResource[] {
  const parts = Array.isArray(contents) ? contents.slice(0, MAX_PARTS) : [];
  return parts.filter(isObject).map(decodeResource);
}

export function decodeCallResult(value: JsonObject): McpCallResult {
  const { content, structuredContent, isError } = value;
  const parts = Array.isArray(content) ? content.slice(0, MAX_PARTS) : [];
  return {
    isError: isError === true,
    content: parts.map(decodeContent),
    structured: isObject(structuredContent) && !isTooDeep(structuredContent) ? structuredContent : undefined,
  };
}

function decodeContent(value: unknown): McpContent {
  if (!isObject(value)) return { type: 'other', name: 'unknown' };
  const { type, text, data } = value;
  switch (type) {
    case 'text':
      return { type, text: textOf(text) };
    case 'image':
    case 'audio':
      return { type, mimeType: textOf(value['mimeType']), base64: textOf(data), bytes: sizeOf(textOf(data)) };
    case 'resource':
      return isObject(value['resource']) ? decodeResource(value['resource']) : { type: 'other', name: type };
    case 'resource_link':
      return { type: 'link', uri: textOf(value['uri']), ...optionalTexts(value, ['name', 'description', 'mimeType']) };
    default:
      return { type: 'other', name: typeof type === 'string' ? type : 'unknown' };
  }
}

function decodeResource(resource: JsonObject): McpResource {
  const { uri, text, blob } = resource;
  return {
    type: 'resource',
    uri: textOf(uri),
    ...optionalTexts(resource, ['mimeType']),
    text: typeof text === 'string' ? text : undefined,
    base64: typeof blob === 'string' ? blob : undefined,
    bytes: typeof blob === 'string' ? sizeOf(blob) : undefined,
  };
}

function optionalTexts<K extends string>(value: JsonObject, keys: readonly K[]): Partial<Record<K, string>> {
  const found = keys.filter(key => typeof value[key] === 'string');
  return Object.fromEntries(found.map(key => [key, value[key]])) as Partial<Record<K, string>>;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the number of bytes that a base64 text decodes to. */
function sizeOf(base64: string): number {
  // A pattern such as /=+$/ takes quadratic time on many signs in the middle.
  const padding = base64.endsWith('==') ? 2 : Number(base64.endsWith('='));
  return Math.floor(((base64.length - padding) * 3) / 4);
}

/** Returns true for a value that functions which call themselves for each level could not handle. Takes as much stack for any depth. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    level = level.flatMap(part => (typeof part === 'object' && part !== null ? Object.values(part) : []));
    if (level.length === 0) return false;
  }
  return true;
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
