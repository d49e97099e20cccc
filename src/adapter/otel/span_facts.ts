/** Names and attributes of spans: those of the semantic conventions for generative AI and MCP, and our own, which begin with `neta.`. */
import type { Attributes, SpanKind } from '@opentelemetry/api';
import type { Usage } from '../../port/llm';
import type { ObservedRun } from '../../port/observed_run';
import type { EndedWork, Work } from '../../port/observer';
import { otelApi } from './otel_api';

export interface SpanFacts {
  name: string;
  kind: SpanKind;
  attributes: Attributes;
}

/** Stands for tools that do not exist, as in the metrics. */
const UNKNOWN_TOOL = 'other';

const own = (name: string, attributes: Attributes): SpanFacts => ({ name, kind: otelApi().SpanKind.INTERNAL, attributes });

export function factsWhenBegun(work: Work): SpanFacts {
  const ofRun = 'run' in work.begun && work.begun.run ? runAttributes(work.begun.run) : {};
  switch (work.kind) {
    case 'run': {
      const { run, isResumed } = work.begun;
      const attributes = { 'gen_ai.operation.name': 'invoke_agent', ...ofRun, 'neta.run.resumed': isResumed || undefined };
      return own(`invoke_agent ${run.agent}`, attributes);
    }
    case 'model_call': {
      const { model, serverModel, provider, tools, isSummary } = work.begun;
      const asked = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': provider, 'gen_ai.request.model': serverModel };
      const attributes = {
        ...asked,
        'neta.model': model,
        'neta.tools.offered': tools,
        'neta.summary': isSummary || undefined,
        ...ofRun,
      };
      return { name: `chat ${serverModel}`, kind: otelApi().SpanKind.CLIENT, attributes };
    }
    case 'embedding': {
      const { model, provider, texts } = work.begun;
      const asked = { 'gen_ai.operation.name': 'embeddings', 'gen_ai.provider.name': provider, 'gen_ai.request.model': model };
      return { name: `embeddings ${model}`, kind: otelApi().SpanKind.CLIENT, attributes: { ...asked, 'neta.embedding.texts': texts } };
    }
    case 'tool_call': {
      const { toolCallId, toolset, origin } = work.begun;
      // A model may write any name, even a secret; only names of tools that exist are kept.
      const tool = toolset === undefined ? UNKNOWN_TOOL : work.begun.tool;
      const type = origin === 'mcp' || origin === 'manifest' ? 'extension' : 'function';
      const called = { 'gen_ai.tool.name': tool, 'gen_ai.tool.type': type, 'gen_ai.tool.call.id': toolCallId };
      const attributes = { 'gen_ai.operation.name': 'execute_tool', ...called, 'neta.toolset': toolset || undefined, ...ofRun };
      return own(`execute_tool ${tool}`, attributes);
    }
    case 'mcp_request': {
      const { server, method, tool } = work.begun;
      const attributes = { 'mcp.method.name': method, 'neta.mcp.server': server, 'gen_ai.tool.name': tool };
      return { name: `${method} ${tool ?? server}`, kind: otelApi().SpanKind.CLIENT, attributes };
    }
    case 'wait':
      return own('neta.wait_human', { 'neta.wait.kind': work.begun.kind, 'neta.question.id': work.begun.questionId, ...ofRun });
    case 'tool_choice':
      return own('neta.assemble_tools', ofRun);
    case 'compaction':
      return own('neta.compact', { 'neta.compact.reason': work.begun.reason, ...ofRun });
  }
}

function runAttributes({ runId, sessionId, tenantId, door, agent }: ObservedRun): Attributes {
  const ids = { 'gen_ai.conversation.id': sessionId, 'session.id': sessionId, 'neta.run.id': runId };
  return { ...ids, 'gen_ai.agent.name': agent, 'neta.door': door, 'neta.tenant': tenantId };
}

/** `error`: a short word when the work failed. */
export function factsWhenEnded(work: EndedWork): { attributes: Attributes; error?: string } {
  switch (work.kind) {
    case 'run': {
      const { status, reason, error, usage } = work.ended;
      const failure = error ?? (status === 'failed' ? 'failed' : undefined);
      return withError(failure, { 'neta.run.outcome': status, 'neta.run.reason': reason, ...usageAttributes(usage) });
    }
    case 'model_call': {
      const { error, usage, finishReason } = work.ended;
      return withError(error, { ...usageAttributes(usage), 'gen_ai.response.finish_reasons': finishReason && [finishReason] });
    }
    case 'tool_call': {
      const { outcome, resultBytes, isTruncated } = work.ended;
      const isGood = outcome === 'ok' || outcome === 'cached' || outcome === 'duplicate';
      const size = { 'neta.result.bytes': resultBytes, 'neta.result.truncated': isTruncated || undefined };
      return withError(isGood ? undefined : outcome, { 'neta.tool.outcome': outcome, ...size });
    }
    case 'embedding': {
      const { error, inputTokens } = work.ended;
      return withError(error, inputTokens === undefined ? {} : { 'gen_ai.usage.input_tokens': inputTokens });
    }
    case 'mcp_request':
      return withError(work.ended.error, {});
    case 'wait': {
      const { outcome, decision } = work.ended;
      return { attributes: { 'neta.wait.outcome': outcome, 'neta.wait.decision': decision } };
    }
    case 'tool_choice':
      return { attributes: { 'neta.tools.offered': work.ended.tools } };
    case 'compaction': {
      const { outcome, beforeTokens, afterTokens } = work.ended;
      const sizes = {
        'neta.compact.before_tokens': beforeTokens,
        'neta.compact.after_tokens': afterTokens,
      };
      return withError(outcome === 'failed' ? 'failed' : undefined, sizes);
    }
  }
}

const withError = (error: string | undefined, attributes: Attributes) =>
  error === undefined ? { attributes } : { attributes: { ...attributes, 'error.type': error }, error };

function usageAttributes(usage: Usage | undefined): Attributes {
  if (!usage) return {};
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens, costUsd } = usage;
  return {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    'gen_ai.usage.cache_read.input_tokens': cachedTokens,
    'gen_ai.usage.reasoning.output_tokens': reasoningTokens,
    'neta.cost_usd': costUsd,
  };
}
