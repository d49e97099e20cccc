/** The model behind the agent loop: asks the chosen model, and while it fails the models that stand in for it. */
import { AppError, messageIn, toAppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { Failpoints } from '../../port/failpoints';
import type { LlmAnswer, LlmPort, LlmRequest, LlmSink, Usage } from '../../port/llm';
import type { LogError } from '../../port/logger';
import { baseUrlOf } from '../../port/model_apis';
import { mayFallBack } from '../../port/model_failures';
import type { ModelParameters } from '../../port/model_parameters';
import type { Observer, WorkBegun } from '../../port/observer';
import type { PriceList } from '../../port/price_list';
import type { Locale } from '../../port/store/sessions';
import { costOf, tierCostOf } from './call_cost';
import type { Candidate, Model, ModelCatalog } from './model_catalog';
import { isEmpty, mergeParameters, toSummaryParameters } from './model_parameters';
import { showImages } from './show_images';
import { streamWithTools } from './tools_aside';
import { observedSink, watchFirst, watchSink } from './watched_sinks';

export interface ModelRouterDeps {
  catalog: ModelCatalog;
  clock: Clock;
  /** The prices of models that have none in models.yaml. */
  priceList: PriceList;
  onError: LogError;
  observer: Observer;
  /** `model_called` is reached before each call of a model. */
  failpoints: Failpoints;
  /** The beginning of each call, and the handling of its answer, are steps. `nextStep` returns undefined when the caller may go on at once. */
  steps: { nextStep(): Promise<void> | undefined };
}

interface Refusal {
  model: Model;
  error: AppError;
}

export class ModelRouter implements LlmPort {
  constructor(private readonly deps: ModelRouterDeps) {}

  get info(): LlmPort['info'] {
    return this.deps.catalog.info;
  }

  /**
   * Like LlmPort.stream. `request.model` is an id, or the name that a server knows. The request goes to another model only before any text was
   * shown, and only when the server is at fault. Models that cool down are asked last. When none answers, the error names all that were asked.
   */
  async stream(request: LlmRequest, sink: LlmSink): Promise<LlmAnswer> {
    const { steps } = this.deps;
    const toCall = steps.nextStep();
    if (toCall) await toCall;
    const answer = await (request.accepted ? this.streamHeld(request.accepted, request, sink) : this.route(request, sink));
    const toHandle = steps.nextStep();
    if (toHandle) await toHandle;
    return answer;
  }

  /**
   * Asks the server of the chosen model for the tokens of a request. Resolves with undefined where it cannot say. Models that stand in are not asked:
   * their tokenizers differ.
   */
  async countTokens(request: LlmRequest): Promise<number | undefined> {
    const [candidate] = this.deps.catalog.candidatesFor(request.model);
    if (!candidate?.model.client.countTokens || candidate.model.circuit.lastFailure) return undefined;
    const { definition, client } = candidate.model;
    const shown = request.readImage ? await showImages(request, definition) : request;
    return client.countTokens?.(toModelRequest(shown, definition.parameters, candidate.serverName));
  }

  /** Holds back what the model says, failures too, until the run is accepted. */
  private async streamHeld(accepted: Promise<void>, request: LlmRequest, sink: LlmSink): Promise<LlmAnswer> {
    const held: (() => void)[] = [];
    let isHolding = true;
    const pass = (deliver: () => void) => void (isHolding ? held.push(deliver) : deliver());
    const answer = this.route(request, {
      onText: text => pass(() => sink.onText(text)),
      onReasoning: text => pass(() => sink.onReasoning(text)),
      onFallback: change => pass(() => sink.onFallback?.(change)),
    });
    answer.catch(() => {});
    await accepted;
    for (const deliver of held) deliver();
    isHolding = false;
    return answer;
  }

  private route(request: LlmRequest, sink: LlmSink): Promise<LlmAnswer> {
    const [first, ...others] = this.deps.catalog.candidatesFor(request.model);
    if (!first) return Promise.reject(new Error('There is no model.'));
    return others.length === 0 ? this.ask(first, request, sink) : this.askUntilAnswered([first, ...others], request, sink);
  }

  private async askUntilAnswered(candidates: readonly [Candidate, ...Candidate[]], request: LlmRequest, sink: LlmSink): Promise<LlmAnswer> {
    const [first] = candidates;
    const watched = watchSink(sink);
    const refusals: Refusal[] = [];
    for (const candidate of this.inTurn(candidates, request)) {
      announce(first.model, candidate.model, { refusal: refusals.at(-1), sink });
      try {
        const hasAlternative = refusals.length + 1 < candidates.length;
        const answer = await this.ask(candidate, { ...request, hasAlternative }, watched);
        return candidate === first ? answer : { ...answer, answeredBy: candidate.model.definition.id };
      } catch (thrown) {
        if (watched.isShown || request.signal.aborted || !mayFallBack(thrown)) throw thrown;
        refusals.push({ model: candidate.model, error: thrown });
      }
    }
    throw noAnswer(refusals);
  }

  /** Yields the models that may be asked now, then the models that cool down. */
  private *inTurn(candidates: readonly Candidate[], { signal }: LlmRequest): Generator<Candidate> {
    const cooling: Candidate[] = [];
    for (const candidate of candidates) {
      if (candidate.model.circuit.tryEnter(this.deps.clock.now(), signal)) yield candidate;
      else cooling.push(candidate);
    }
    yield* cooling;
  }

  /** Calls the model and tells the observer. */
  private async ask(candidate: Candidate, request: LlmRequest, sink: LlmSink): Promise<LlmAnswer> {
    const work = this.deps.observer.begin('model_call', this.describeCall(candidate, request));
    const { trace } = work;
    try {
      const answer = await this.call(candidate, trace ? { ...request, trace } : request, observedSink(sink, work));
      work.end({ finishReason: answer.finishReason, message: answer.message, usage: answer.usage });
      return answer;
    } catch (thrown) {
      work.end({ error: request.signal.aborted ? 'aborted' : toAppError(thrown).code });
      throw thrown;
    }
  }

  private describeCall({ model, serverName }: Candidate, { run, tools, isSummary, messages }: LlmRequest): WorkBegun['model_call'] {
    const { definition, client } = model;
    return {
      run,
      model: serverName ?? this.deps.catalog.shownName(definition.id),
      serverModel: serverName ?? definition.model,
      provider: client.info.provider,
      tools: tools.length,
      isSummary: isSummary === true,
      messages,
    };
  }

  /** Calls the model and notes in its circuit how that went. */
  private async call({ model, serverName }: Candidate, request: LlmRequest, sink: LlmSink): Promise<LlmAnswer> {
    const { definition, circuit } = model;
    const shown = request.readImage ? await prepareImages(request, model) : request;
    // A probe that answers reopens the model at its first text: the answer may take minutes.
    const watched = circuit.lastFailure ? watchFirst(sink, () => circuit.succeed()) : sink;
    try {
      const reached = this.deps.failpoints.reach('model_called');
      if (reached) await reached;
      const answer = await this.streamWithTools(model, toModelRequest(shown, definition.parameters, serverName), watched);
      circuit.succeed();
      delete model.probeProblem;
      return this.priced(answer, model, serverName);
    } catch (thrown) {
      // A server that refuses another name than the model's own says nothing about the model.
      if (request.signal.aborted || (serverName !== undefined && isRefusal(thrown))) circuit.leave(request.signal);
      else if (mayFallBack(thrown)) this.noteFailure(model, thrown);
      // The server is reachable, because it refused this request itself.
      else if (isRefusal(thrown)) circuit.succeed();
      else circuit.leave(request.signal);
      throw thrown;
    }
  }

  private streamWithTools(model: Model, request: LlmRequest, sink: LlmSink): Promise<LlmAnswer> {
    return streamWithTools(model, request, watchSink(sink), (names, reason) =>
      this.deps.onError(
        `the tools ${names.join(', ')} are not offered to the model ${model.definition.id}: its server refuses them`,
        reason,
      ),
    );
  }

  /**
   * Adds the cost of the answer: at the price of models.yaml, otherwise of the price list. An answer under another name than the model's own is
   * priced by the list.
   */
  private priced(answer: LlmAnswer, { definition, client }: Model, serverName: string | undefined): LlmAnswer {
    if (!answer.usage || client.info.demo) return answer;
    const { cacheWriteTokens: _written, serviceTier: _tier, ...usage } = answer.usage;
    const costUsd = this.costOf(answer.usage, definition, serverName);
    return { ...answer, usage: costUsd === undefined ? usage : { ...usage, costUsd } };
  }

  private costOf(usage: Usage, { model, price, ...definition }: Model['definition'], serverName: string | undefined): number | undefined {
    if (price && serverName === undefined) return costOf(price, usage);
    const listed = this.deps.priceList.findCost({ model: serverName ?? model, baseUrl: baseUrlOf(definition) }, usage);
    return listed === undefined ? undefined : tierCostOf(listed, usage);
  }

  private noteFailure({ definition, circuit }: Model, error: AppError): void {
    const { clock, onError } = this.deps;
    if (!circuit.lastFailure) onError(`the model ${definition.id} fails`, error.message);
    circuit.fail({ reason: error.message, reasonZh: error.messageZh, code: error.code, at: clock.now() });
  }
}

const REFUSALS: ReadonlySet<string> = new Set(['model_refused', 'model_too_large']);

const isRefusal = (thrown: unknown): boolean => thrown instanceof AppError && REFUSALS.has(thrown.code);

async function prepareImages(request: LlmRequest, { definition, circuit }: Model): Promise<LlmRequest> {
  try {
    return await showImages(request, definition);
  } catch (thrown) {
    // The store failed, not the model.
    circuit.leave(request.signal);
    throw thrown;
  }
}

/** The model of the request is undefined unless a server is asked for another name than the model's own. */
function toModelRequest(
  { model: _chosen, isSummary, maxOutputTokens, ...request }: LlmRequest,
  own: ModelParameters,
  serverName?: string,
): LlmRequest {
  const merged = mergeParameters(own, request.parameters);
  const usual = isSummary ? toSummaryParameters(merged) : merged;
  const parameters = maxOutputTokens === undefined ? usual : { ...usual, maxOutputTokens };
  return { ...request, model: serverName, ...(!isEmpty(parameters) && { parameters }) };
}

/** Tells the sink that `to` is asked in place of another model: the one that refused last, or the chosen model while it cools down. */
function announce(chosen: Model, to: Model, { refusal, sink }: { refusal: Refusal | undefined; sink: LlmSink }): void {
  if (!refusal && to === chosen) return;
  const from = refusal?.model ?? chosen;
  const failure = refusal
    ? { reason: refusal.error.message, reasonZh: refusal.error.messageZh, code: refusal.error.code }
    : chosen.circuit.lastFailure;
  sink.onFallback?.({
    from: from.definition.id,
    to: to.definition.id,
    reason: failure?.reason ?? 'Another call tries it now.',
    reasonZh: failure?.reasonZh ?? '另一次调用正在尝试它。',
    code: failure?.code || undefined,
  });
}

/** Has the code of the first refusal. */
function noAnswer(refusals: readonly Refusal[]): AppError {
  const [first, ...others] = refusals;
  if (!first) return new AppError('model_unreachable');
  if (others.length === 0) return first.error;
  const listed = (locale: Locale) => refusals.map(({ model, error }) => `${model.definition.id}: ${messageIn(error, locale)}`).join(' ');
  const texts = { message: `No model answers. ${listed('en')}`, messageZh: `没有模型作答。${listed('zh-CN')}` };
  return new AppError(first.error.code, { ...texts, cause: first.error });
}
