/** The client: starts runs, answers questions, and calls every other route. */
import { Http, type HttpRequest, NetaError, type NetaOptions } from './http';
import { Run } from './run';
import type { AnswerOf, ApprovalRequest, ClarifyRequest, Method, PathOf, RequestInput, RunEvent, RunRequest, RunResult } from './types';

export type Question = ClarifyRequest;

export interface RunOptions {
  /** Repeating a request with the same key gives the same run. Default: a new key. */
  idempotencyKey?: string;
  /** Is called for each question; the run waits for the answer. Without it, a question ends the run and is its text. */
  onQuestion?: (question: Question) => string | Promise<string>;
  /** Is called for each tool call that needs approval. Without it, such calls are refused. */
  onApproval?: (request: ApprovalRequest) => 'allow_once' | 'deny' | Promise<'allow_once' | 'deny'>;
  onEvent?: (event: RunEvent) => void;
  /** An abort cancels the run. */
  signal?: AbortSignal;
}

const CLOSED = 'clarification_closed';
/** A rule asks colleagues: the run waits for them. */
const FOR_OTHERS = ['approval_by_requester', 'approval_given'];

export class NetaClient {
  private readonly http: Http;

  constructor(options: NetaOptions = {}) {
    this.http = new Http(options);
  }

  /** Calls any route of /openapi.json and resolves with its JSON. Repeats safely as described in docs/guides/call-the-api.md. */
  async request<M extends Method, P extends PathOf<M>>(method: M, path: P, input: RequestInput<P, M> = {}): Promise<AnswerOf<P, M>> {
    const { path: names = {}, ...rest } = input as Omit<HttpRequest, 'method' | 'path'> & { path?: Record<string, string> };
    const filled = String(path).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''));
    const response = await this.http.send({ ...rest, method, path: filled });
    const text = await response.text();
    return (text === '' ? undefined : JSON.parse(text)) as AnswerOf<P, M>;
  }

  /** Resolves when the run is stored. */
  async startRun(body: RunRequest, { idempotencyKey, signal }: Pick<RunOptions, 'idempotencyKey' | 'signal'> = {}): Promise<Run> {
    const headers = { prefer: 'respond-async', ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }) };
    const response = await this.http.send({ method: 'post', path: '/api/v1/runs', body, headers, signal });
    const { runId } = (await response.json()) as { runId: string };
    return this.openRun(runId);
  }

  /** A run that exists already; asks nothing. */
  openRun(runId: string): Run {
    return new Run(this.http, runId);
  }

  /** Starts a run, follows it, asks the callbacks, and resolves with its result. Rejects with NetaError, or with the signal's reason. */
  async run(request: RunRequest, options: RunOptions = {}): Promise<RunResult> {
    const { onQuestion, onApproval, onEvent, signal } = options;
    const run = await this.startRun({ clarify: onQuestion || onApproval ? 'wait' : undefined, ...request }, options);
    try {
      for await (const event of run.events({ signal })) {
        onEvent?.(event);
        if (event.type === 'clarify_request' && onQuestion) await this.answer(event.data.requestId, await onQuestion(event.data));
        if (event.type === 'approval_request' && onApproval) await this.decideUnlessOthers(event.data, onApproval);
      }
      return await run.result();
    } catch (thrown) {
      if (signal?.aborted) await run.cancel();
      throw thrown;
    }
  }

  /** Answers a question. Does nothing when another person was faster. */
  async answer(requestId: string, answer: string): Promise<void> {
    await this.postOnce(`/api/v1/clarifications/${encodeURIComponent(requestId)}`, { answer });
  }

  /** Decides about a tool call that needs approval. Does nothing when another person was faster. */
  async decide(requestId: string, decision: 'allow_once' | 'deny'): Promise<void> {
    await this.postOnce(`/api/v1/approvals/${encodeURIComponent(requestId)}`, { decision });
  }

  private async decideUnlessOthers(request: ApprovalRequest, onApproval: NonNullable<RunOptions['onApproval']>): Promise<void> {
    try {
      await this.decide(request.requestId, await onApproval(request));
    } catch (thrown) {
      if (!(thrown instanceof NetaError) || !FOR_OTHERS.includes(thrown.code)) throw thrown;
    }
  }

  private async postOnce(path: string, body: object): Promise<void> {
    try {
      await this.http.send({ method: 'post', path, body });
    } catch (thrown) {
      if (!(thrown instanceof NetaError) || thrown.code !== CLOSED) throw thrown;
    }
  }
}
