/** Exports of a tool: an MCP descriptor, and a text for search by meaning. wire_tool.ts has the form of model servers. */
import type { ToolLocale, ToolSpec } from './common';
import { toolTexts } from './tool_spec';
import { toWireTool } from './wire_tool';

export interface McpToolDescriptor {
  name: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
}

/**
 * Returns a tool as in `tools/list` of the Model Context Protocol (2025-06-18). Texts are English where there is no translation.
 * @example
 * import { ToolRegistry } from './registry';
 * import { toMcpDescriptor } from './tool_exports';
 *
 * export const listTools = (registry: ToolRegistry) => ({ tools: registry.listSpecs().map(spec => toMcpDescriptor(spec)) });
 */
export function toMcpDescriptor(spec: ToolSpec, locale: ToolLocale = 'en'): McpToolDescriptor {
  const { name, description, parameters } = toWireTool(spec, locale).function;
  const { effect } = spec;
  return {
    name,
    title: toolTexts(spec, locale).label,
    description: description ?? '',
    inputSchema: parameters as Record<string, unknown>,
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'write' || effect === 'external',
      idempotentHint: effect === 'read' || effect === 'idempotent',
      openWorldHint: effect === 'external',
    },
  };
}

/**
 * Returns the text of a tool for a search by meaning: label and name, description and parameters, one line each.
 * @example
 * import { ToolRegistry } from './registry';
 * import { toEmbeddingCandidate } from './tool_exports';
 *
 * export const candidates = (registry: ToolRegistry) => registry.listSpecs().map(spec => toEmbeddingCandidate(spec, 'zh-CN'));
 */
export function toEmbeddingCandidate(spec: ToolSpec, locale: ToolLocale = 'en'): { name: string; text: string } {
  const { description, parameters } = toWireTool(spec, locale).function;
  const properties = (parameters as { properties?: Record<string, { description?: string }> }).properties ?? {};
  const parameterTexts = Object.entries(properties).map(([name, property]) => `${name}: ${property.description ?? ''}`.trim());
  const words = spec.name.replaceAll(/[_-]/g, ' ');
  return { name: spec.name, text: [`${toolTexts(spec, locale).label} (${words})`, description ?? '', ...parameterTexts].join('\n') };
}
