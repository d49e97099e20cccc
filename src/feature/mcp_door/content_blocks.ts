/**
 * The images, sounds, resources and links in the result of a tool, as content of MCP. A tool of an MCP server, and any other tool that does the same, has
 * them as `blocks` of its result; texts are in its message.
 */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

type Content = CallToolResult['content'][number];

const MAX_BLOCKS = 100;

/** Leaves out a block that is not as the guide says. */
export function contentOfBlocks(result: unknown): Content[] {
  const { blocks } = isObject(result) ? result : {};
  return Array.isArray(blocks) ? blocks.slice(0, MAX_BLOCKS).filter(isObject).flatMap(toContent) : [];
}

function toContent({ type, uri, name = uri, text, base64, ...block }: Record<string, unknown>): Content[] {
  const mimeType = typeof block['mimeType'] === 'string' ? block['mimeType'] : undefined;
  if ((type === 'image' || type === 'audio') && typeof base64 === 'string' && mimeType !== undefined)
    return [{ type, data: base64, mimeType }];
  if (typeof uri !== 'string') return [];
  if (type === 'link' && typeof name === 'string') return [{ type: 'resource_link', uri, name, mimeType }];
  if (type === 'resource' && typeof text === 'string') return [{ type, resource: { uri, mimeType, text } }];
  return type === 'resource' && typeof base64 === 'string' ? [{ type, resource: { uri, mimeType, blob: base64 } }] : [];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
