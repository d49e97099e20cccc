/**
 * Keeps what operators have switched off, for one tenant or for all: new runs, and tools. Everything is in memory, so that a run asks without a
 * statement; the store is read every 2 seconds, so that a switch at another gateway on the same store counts here too.
 */

import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { NodeBus } from '../../port/node_bus';
import type { Locale } from '../../port/store/sessions';
import type { Store, StoreTransaction } from '../../port/store/store';
import { EVERY_TENANT, type OpsSwitch } from '../../port/store/switches';
import { SharedReading } from '../../utils/shared_reading';

/** A key, or a tenant. */
interface RaisedScope {
  scope: 'key' | 'tenant';
  tenantId: string;
  keyName?: string | undefined;
}

export type RaisedLimit = 'tokensPerDay' | 'costPerDayUsd';

export interface SwitchesDeps {
  store: Store;
  clock: Clock;
  nodeBus: Pick<NodeBus, 'publish' | 'subscribe' | 'onLoss'>;
  /** Called after a change of the tools that are off. */
  onToolsChanged: () => void;
  onError: LogError;
}

const ACCEPTING = 'accepting';
const TOOL = 'tool:';
const RAISE = 'raise:';
const READ_MS = 2_000;
const RETRY_AFTER_MS = 30_000;

export class Switches {
  private entries: ReadonlyMap<string, OpsSwitch> = new Map();
  private stopTimer = () => {};
  private isStopped = false;
  private hasRaises = false;
  private readonly reading = new SharedReading(() => this.readNow());
  private readonly afterReading: (() => Promise<void>)[] = [];

  constructor(private readonly deps: SwitchesDeps) {}

  /** Reads the store, and again and again until `stop`. Rejects when the first reading fails. */
  async start(): Promise<void> {
    await this.reading.read();
    const { nodeBus } = this.deps;
    // A failure: the next reading comes in two seconds.
    const readSoon = () => void this.readAgain().catch(() => {});
    nodeBus.subscribe('switches', readSoon);
    nodeBus.onLoss(readSoon);
    this.schedule();
  }

  /** Calls the function after each reading but the first, so that all that is read every 2 seconds is read at the same time. */
  onReading(call: () => Promise<void>): void {
    this.afterReading.push(call);
  }

  /** Stops reading the switches of other gateways. */
  stop(): void {
    this.isStopped = true;
    this.stopTimer();
  }

  /** Returns the error for a new run of the tenant; undefined while runs are accepted. */
  refusalOf(tenantId: string): AppError | undefined {
    const entry = this.find(tenantId, ACCEPTING);
    return entry && notAccepting(entry);
  }

  /** Finds the pause that keeps the tenant from new runs. Without a tenant: the pause of all tenants. */
  findPause(tenantId: string | undefined): OpsSwitch | undefined {
    return this.find(tenantId ?? EVERY_TENANT, ACCEPTING);
  }

  /** Lists the pauses of single tenants. */
  listTenantPauses(): OpsSwitch[] {
    return this.listEntries().filter(({ name, tenantId }) => name === ACCEPTING && tenantId !== EVERY_TENANT);
  }

  /** Returns true when a tenant does not have the tool. */
  isToolOff(tenantId: string, tool: string): boolean {
    return this.entries.size > 0 && this.findTool(tenantId, tool) !== undefined;
  }

  /** Finds the switch that turns the tool off for the tenant; undefined while the tool is on. */
  findTool(tenantId: string, tool: string): OpsSwitch | undefined {
    return this.find(tenantId, `${TOOL}${tool}`);
  }

  /** A sentence for the model and for lists; undefined for a tool that is on. */
  toolOffText(tenantId: string, tool: string, locale: Locale): string | undefined {
    const entry = this.entries.size === 0 ? undefined : this.findTool(tenantId, tool);
    return entry && offText(entry, locale);
  }

  /** Returns the amount that operators have added to a limit of today; 0 without. It stands in the names of the entries. */
  raiseOf({ scope, tenantId, keyName }: RaisedScope, limit: RaisedLimit): number {
    if (!this.hasRaises) return 0;
    const start = Switches.raise({ scope, keyName, limit, day: dayOf(this.deps.clock.now()) });
    const amounts = this.listEntries().flatMap(entry =>
      entry.tenantId === tenantId && entry.name.startsWith(start) ? Number(entry.name.slice(start.length).split(':')[0]) : [],
    );
    return amounts.reduce((sum, amount) => sum + amount, 0);
  }

  /** Raises of earlier days. */
  listOldRaises(): OpsSwitch[] {
    const today = `${RAISE}${dayOf(this.deps.clock.now())}`;
    return this.listEntries().filter(({ name }) => name.startsWith(RAISE) && !name.startsWith(today));
  }

  /** Lists the switches of all tenants. */
  listEntries(): readonly OpsSwitch[] {
    return [...this.entries.values()];
  }

  /** Stores a change with what `also` writes, and applies it here at once. Resolves whether anything changed. */
  async change(
    { tenantId, name, isOn, ...entry }: Omit<OpsSwitch, 'changedAt'> & { isOn: boolean },
    also: (tx: StoreTransaction) => Promise<void>,
  ): Promise<boolean> {
    const { store, clock } = this.deps;
    const isChanged = await store.transaction('none', async tx => {
      if (isOn && !(await tx.switches.delete(tenantId, name))) return false;
      if (!isOn) await tx.switches.put({ tenantId, name, ...entry, changedAt: clock.now() });
      await also(tx);
      return true;
    });
    this.deps.nodeBus.publish('switches', {});
    await this.reading.read();
    return isChanged;
  }

  /** The names under which a switch is stored. */
  static readonly accepting = ACCEPTING;
  static readonly tool = (name: string): string => `${TOOL}${name}`;
  static readonly raise = ({
    scope,
    keyName = '',
    limit,
    day,
  }: Omit<RaisedScope, 'tenantId'> & { limit: RaisedLimit; day: string }): string => `${RAISE}${day}:${scope}:${keyName}:${limit}:`;

  private find(tenantId: string, name: string): OpsSwitch | undefined {
    return this.entries.get(keyOf(EVERY_TENANT, name)) ?? this.entries.get(keyOf(tenantId, name));
  }

  private async readNow(): Promise<void> {
    const entries = new Map((await this.deps.store.read.switches.list()).map(entry => [keyOf(entry.tenantId, entry.name), entry]));
    const isChanged = toolsIn(entries) !== toolsIn(this.entries);
    this.entries = entries;
    this.hasRaises = [...entries.values()].some(({ name }) => name.startsWith(RAISE));
    if (isChanged) this.deps.onToolsChanged();
  }

  private schedule(): void {
    if (this.isStopped) return;
    this.stopTimer = this.deps.clock.after(READ_MS, () => {
      this.readAgain()
        .catch(thrown => this.deps.onError('the switches of operators cannot be read', thrown))
        .finally(() => this.schedule());
    });
  }

  private async readAgain(): Promise<void> {
    await this.reading.read();
    for (const call of this.afterReading) await call();
  }
}

/** The day in UTC. */
const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

const keyOf = (tenantId: string, name: string): string => `${tenantId}\n${name}`;

/** Returns a text that is equal for the same switched-off tools. */
const toolsIn = (entries: ReadonlyMap<string, OpsSwitch>): string =>
  [...entries.values()].flatMap(({ tenantId, name, reason }) => (name.startsWith(TOOL) ? [tenantId, name, reason] : [])).join('\n');

const notAccepting = ({ reason, changedAt }: OpsSwitch): AppError =>
  new AppError('not_accepting', {
    message: `An operator has paused new runs${quotedReason(reason, 'en')}. Runs in progress go on.`,
    messageZh: `运维人员已暂停新的运行${quotedReason(reason, 'zh-CN')}。进行中的运行会继续。`,
    retryAfterMs: RETRY_AFTER_MS,
    details: { since: new Date(changedAt).toISOString() },
  });

const offText = ({ reason }: OpsSwitch, locale: Locale): string =>
  locale === 'zh-CN'
    ? `运维人员已停用此工具${quotedReason(reason, locale)}。`
    : `An operator has switched this tool off${quotedReason(reason, locale)}.`;

/** The words of the operator stay in the language in which they were written. */
function quotedReason(reason: string | undefined, locale: Locale): string {
  if (reason === undefined) return '';
  return locale === 'zh-CN' ? `，说明是：“${reason}”` : `: "${reason}"`;
}
