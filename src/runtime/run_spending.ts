/** Tokens and money that a run has used so far, by model, and the rest of its budget. One object per run; the loop adds to it as it goes. */
import type { Usage } from '../port/llm';
import { fromNanoDollars, toNanoDollars } from '../utils/dollars';
import { addUsage } from './add_usage';

/** Limits of one run. Absent fields limit nothing. */
export interface RunBudget {
  /** Input and output tokens of all model calls. */
  maxTokens?: number;
  /** Calls of models without a known price do not count. */
  maxCostUsd?: number;
  maxToolCalls?: number;
}

export type SpentLimit = keyof RunBudget | 'tokensPerDay' | 'costPerDayUsd';

/** Ends a turn before its next model call. */
export class BudgetSpent extends Error {
  constructor(readonly limit: SpentLimit) {
    super(`The limit ${limit} is reached.`);
    this.name = 'BudgetSpent';
  }
}

/** Tokens, money and calls of a run and of the child runs that it started. */
export interface Amounts {
  tokens: number;
  nanoDollars: number;
  toolCalls: number;
}

export interface EarlierSpending {
  budget: RunBudget;
  /** Amounts that child runs had used before an interruption. */
  children?: Amounts;
  /** Usage of the run before an interruption, by model. */
  byModel?: Readonly<Record<string, Usage>>;
  toolCalls?: number;
}

const NOTHING: Amounts = { tokens: 0, nanoDollars: 0, toolCalls: 0 };

export class RunSpending {
  private readonly budget: RunBudget;
  private readonly models: Record<string, Usage>;
  private readonly own: Amounts;
  private children: Amounts;
  /** Amounts of the budget that are reserved for running child runs. */
  private readonly reserved = new Set<Amounts>();
  /** Resolves with the limit of the day that is reached, if one is. Absent, or when it returns undefined: the day is not limited. */
  checkDay?: (signal: AbortSignal) => Promise<SpentLimit | undefined> | undefined;

  constructor({ budget, children = NOTHING, byModel = {}, toolCalls = 0 }: EarlierSpending) {
    this.budget = budget;
    this.children = children;
    this.models = { ...byModel };
    this.own = { ...NOTHING, toolCalls };
    for (const usage of Object.values(byModel)) addTo(this.own, usage);
  }

  /** Adds the usage of one model call. */
  addCall(model: string, usage: Usage): void {
    const sum = this.models[model] ?? { inputTokens: 0, outputTokens: 0 };
    this.models[model] = sum;
    addUsage(sum, usage);
    addTo(this.own, usage);
  }

  /** Adds the amounts that a child run used. */
  addChild(usage: Usage, toolCalls: number): void {
    this.children = { ...this.children, toolCalls: this.children.toolCalls + toolCalls };
    addTo(this.children, usage);
  }

  /** Usage of the run itself by model; '' is the model of its first event. */
  get byModel(): Readonly<Record<string, Usage>> {
    return this.models;
  }

  /** Tokens and money of the run itself, without its child runs. */
  get ownAmounts(): Readonly<Amounts> {
    return this.own;
  }

  /** Counts a tool call that the model asked for. Returns false when the budget of tool calls was used up before; the call must not run then. */
  takeToolCall(): boolean {
    this.own.toolCalls += 1;
    return !this.isOutOfToolCalls;
  }

  /** True once the model has asked for more calls than the budget allows. */
  get isOutOfToolCalls(): boolean {
    return this.own.toolCalls + this.children.toolCalls > (this.budget.maxToolCalls ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Returns undefined when the next model call may be made at once, so that runs without a budget wait for nothing. Rejects with BudgetSpent, and with
   * the reason of the signal while the store is away.
   */
  beforeModelCall(signal: AbortSignal): Promise<void> | undefined {
    const { maxTokens = Number.POSITIVE_INFINITY, maxCostUsd = Number.POSITIVE_INFINITY } = this.budget;
    if (this.own.tokens + this.children.tokens >= maxTokens) throw new BudgetSpent('maxTokens');
    if (this.own.nanoDollars + this.children.nanoDollars >= toNanoDollars(maxCostUsd)) throw new BudgetSpent('maxCostUsd');
    // Check before the first model call of a queued run too: other runs may have used up the budget of the day since the run was admitted.
    const checking = this.checkDay?.(signal);
    return checking && this.assertDay(checking);
  }

  private async assertDay(checking: Promise<SpentLimit | undefined>): Promise<void> {
    const reached = await checking;
    if (reached) throw new BudgetSpent(reached);
  }

  /**
   * Returns the part of the remaining budget for one of `sharers` child runs that begin now; undefined when nothing is left. The parent keeps
   * `keptShare` of it.
   */
  shareForChild(sharers: number, keptShare: number): RunBudget | undefined {
    const { maxTokens, maxCostUsd, maxToolCalls } = this.budget;
    const part = (limit: number, used: (amounts: Amounts) => number) => {
      const reserved = [...this.reserved].reduce((sum, amounts) => sum + used(amounts), 0);
      const left = limit - used(this.own) - used(this.children) - reserved;
      return Math.floor((left * (1 - keptShare)) / sharers);
    };
    const tokens = maxTokens === undefined ? undefined : part(maxTokens, amounts => amounts.tokens);
    const nanos = maxCostUsd === undefined ? undefined : part(toNanoDollars(maxCostUsd), amounts => amounts.nanoDollars);
    const calls = maxToolCalls === undefined ? undefined : part(maxToolCalls, amounts => amounts.toolCalls);
    if ([tokens, nanos].some(left => left !== undefined && left < 1) || (calls !== undefined && calls < 0)) return undefined;
    return {
      maxTokens: tokens,
      maxCostUsd: nanos === undefined ? undefined : fromNanoDollars(nanos),
      maxToolCalls: calls,
    };
  }

  /** Reserves the budget of a child run until the returned function is called. */
  reserve({ maxTokens = 0, maxCostUsd = 0, maxToolCalls = 0 }: RunBudget): () => void {
    const amounts = { tokens: maxTokens, nanoDollars: toNanoDollars(maxCostUsd), toolCalls: maxToolCalls };
    this.reserved.add(amounts);
    return () => this.reserved.delete(amounts);
  }
}

function addTo(amounts: Amounts, { inputTokens, outputTokens, costUsd = 0 }: Usage): void {
  amounts.tokens += inputTokens + outputTokens;
  amounts.nanoDollars += toNanoDollars(costUsd);
}
