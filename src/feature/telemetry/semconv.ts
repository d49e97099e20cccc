/**
 * Names of the OpenTelemetry semantic conventions that the gateway uses, in metrics and in traces. Most of the GenAI conventions are in development:
 * when they change, they change here. https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */

/** Attributes of spans. A label of a metric is the attribute with `_` for each dot, see `toLabel`. */
export const ATTRIBUTES = {
  operationName: 'gen_ai.operation.name',
  providerName: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  conversationId: 'gen_ai.conversation.id',
  agentName: 'gen_ai.agent.name',
  toolName: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  toolCallId: 'gen_ai.tool.call.id',
  tokenType: 'gen_ai.token.type',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  mcpMethod: 'mcp.method.name',
  httpMethod: 'http.request.method',
  httpRoute: 'http.route',
  httpStatus: 'http.response.status_code',
  errorType: 'error.type',
} as const;

type Label<Attribute extends string> = Attribute extends `${infer Head}.${infer Rest}` ? `${Head}_${Label<Rest>}` : Attribute;

/** Returns the attribute as the label of a Prometheus metric. */
export const toLabel = <A extends string>(attribute: A): Label<A> => attribute.replaceAll('.', '_') as Label<A>;

/** Names of the metrics, as Prometheus has them: with the unit, and `_` for each dot. */
export const METRIC_NAMES = {
  httpServerRequestDuration: 'http_server_request_duration_seconds',
  invokeAgentDuration: 'gen_ai_invoke_agent_duration_seconds',
  clientOperationDuration: 'gen_ai_client_operation_duration_seconds',
  clientTimeToFirstChunk: 'gen_ai_client_operation_time_to_first_chunk_seconds',
  clientTokenUsage: 'gen_ai_client_token_usage',
  executeToolDuration: 'gen_ai_execute_tool_duration_seconds',
  mcpClientOperationDuration: 'mcp_client_operation_duration_seconds',
} as const;

/** Seconds, as the conventions advise. */
export const BUCKETS = {
  http: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  agent: [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6],
  operation: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  mcp: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
  /** Tokens. */
  tokens: [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864],
} as const;
