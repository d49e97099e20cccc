/** Sends spans to a receiver over OTLP/HTTP. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogError } from '../../port/logger';
import type { Observer } from '../../port/observer';
import type { Traces } from '../../port/traces';
import { joinUrl } from '../../utils/join_url';
import { agentFor } from '../network/proxy_agent';
import { CountedExporter, type SpanQueue, toCountedProcessor } from './counted_spans';
import { type NextIds, SpanListener } from './span_listener';

export interface TraceSettings {
  /** Base address of the receiver; `/v1/traces` is added. */
  endpoint: string;
  /** Sent with each request. */
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  /** Share of traces without a caller that are kept, 0 to 1. */
  ratio: number;
  /** Milliseconds after which waiting spans are sent. */
  everyMs: number;
  /** Spans have the contents of messages. */
  hasContents: boolean;
}

const MAX_WAITING = 4_096;
/** 32 MiB at most. */
const MAX_WAITING_UNITS = 16 * 1024 * 1024;
const BATCH = 512;
const EXPORT_LIMIT_MS = 10_000;
const CLOSE_LIMIT_MS = 2_000;

export interface TraceDeps {
  observer: Observer;
  /** The directory of package.json. */
  programDir: string;
  instance: string;
  redact: (text: string) => string;
  onError: LogError;
}

/** Loads the SDK, which takes 4 MB, with its first call. */
export function openTraces(settings: TraceSettings, { observer, programDir, instance, redact, onError }: TraceDeps): Traces {
  const {
    OTLPTraceExporter,
  }: typeof import('@opentelemetry/exporter-trace-otlp-http') = require('@opentelemetry/exporter-trace-otlp-http');
  const { resourceFromAttributes }: typeof import('@opentelemetry/resources') = require('@opentelemetry/resources');
  const {
    BatchSpanProcessor,
    RandomIdGenerator,
    TracerProvider,
  }: typeof import('@opentelemetry/sdk-trace') = require('@opentelemetry/sdk-trace');
  const { version } = JSON.parse(readFileSync(join(programDir, 'package.json'), 'utf8')) as { version: string };
  const { endpoint, headers, serviceName, ratio, everyMs, hasContents } = settings;
  const random = new RandomIdGenerator();
  const nextIds: NextIds = { traceId: '', spanId: undefined };
  const queue: SpanQueue = { waiting: 0, limit: MAX_WAITING, waitingUnits: 0, unitLimit: MAX_WAITING_UNITS, dropped: 0 };
  const url = joinUrl(endpoint, '/v1/traces');
  const { agent } = agentFor(url, true);
  const exporter = new CountedExporter(
    new OTLPTraceExporter({ url: url.href, headers: { ...headers }, timeoutMillis: EXPORT_LIMIT_MS, httpAgentOptions: () => agent }),
    queue,
    onError,
  );
  const batches = new BatchSpanProcessor({
    exporter,
    maxQueueSize: MAX_WAITING,
    maxExportBatchSize: BATCH,
    scheduledDelayMillis: everyMs,
    exportTimeoutMillis: EXPORT_LIMIT_MS + 1_000,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version, 'service.instance.id': instance }),
    idGenerator: { generateTraceId: () => nextIds.traceId, generateSpanId: () => nextIds.spanId ?? random.generateSpanId() },
    spanProcessors: [toCountedProcessor(batches, queue)],
  });
  const tracer = provider.getTracer('neta-gateway', version);
  const spans = new SpanListener({ tracer, nextIds, ratio, redact: hasContents ? redact : undefined });
  const stopListening = observer.listen(spans);
  return {
    spanOfRun: runId => spans.spanOfRun(runId),
    async close() {
      stopListening();
      const limit = new Promise(resolve => setTimeout(resolve, CLOSE_LIMIT_MS).unref());
      await Promise.race([provider.shutdown().catch(() => {}), limit]);
      exporter.giveUp();
    },
  };
}
