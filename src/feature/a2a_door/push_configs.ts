/** Push notification configs of tasks: webhooks that are limited to a run. */
import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import type { Principal } from '../../port/principal';
import { isTerminal } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { StoreTransaction } from '../../port/store/store';
import type { RunWebhook, RunWebhooks } from '../../service/webhook/run_webhooks';
import type { A2aDeps } from './a2a_caller';
import { malformed } from './a2a_errors';
import { a2aSdk } from './a2a_sdk';
import { A2A_FORM } from './push_form';

const TOKEN = 'x-a2a-notification-token';
const MAX_UNITS = 2_000;
/** A client that names none has one config for each task. */
const DEFAULT_ID = 'default';
const HEADER_TEXT = /^[\x20-\x7e]*$/;

export class PushConfigs {
  constructor(
    private readonly principal: Principal,
    private readonly deps: Pick<A2aDeps, 'store' | 'runWebhooks'>,
  ) {}

  /** Throws errors of A2A, and `invalid_request` for an address that the gateway may not reach. */
  check({ id, url, token, authentication }: TaskPushNotificationConfig): void {
    const texts = [id, url, token, authentication?.scheme ?? '', authentication?.credentials ?? ''];
    if (texts.some(text => text.length > MAX_UNITS))
      throw malformed(`The fields of a push notification config have at most ${MAX_UNITS} characters.`);
    if (!texts.every(text => HEADER_TEXT.test(text))) throw malformed('The fields of a push notification config are ASCII.');
    if (authentication?.credentials && !authentication.scheme) throw malformed('authentication.scheme: is needed beside credentials.');
    this.webhooks.checkUrl(url, '/url');
  }

  /** Rejects with UnsupportedOperationError for a task that has ended. */
  async put(run: RunRecord, config: TaskPushNotificationConfig): Promise<TaskPushNotificationConfig> {
    const { tenantId, sessionId, id } = run;
    this.check(config);
    await this.deps.store.transaction({ session: { tenantId, sessionId } }, async tx => {
      const latest = await tx.runs.get(tenantId, id);
      if (!latest || isTerminal(latest.status))
        throw new (a2aSdk().UnsupportedOperationError)('The task has ended: nothing more will be announced.');
      await this.putWithin(tx, run, config);
    });
    return this.get(run, config.id || DEFAULT_ID);
  }

  /** Stores a checked config in a transaction of the caller. */
  putWithin(tx: StoreTransaction, { id: runId }: RunRecord, config: TaskPushNotificationConfig): Promise<void> {
    const { id, url, token, authentication } = config;
    const headers: Record<string, string> = {};
    if (token) headers[TOKEN] = token;
    if (authentication?.scheme) headers['authorization'] = `${authentication.scheme} ${authentication.credentials}`.trim();
    const webhook = { runId, label: id || DEFAULT_ID, url: this.webhooks.checkUrl(url, '/url'), form: A2A_FORM, headers };
    return this.webhooks.put(tx, this.principal, webhook);
  }

  async list(run: RunRecord): Promise<TaskPushNotificationConfig[]> {
    return (await this.webhooks.list(run.tenantId, run.id)).map(toConfig);
  }

  async get(run: RunRecord, id: string): Promise<TaskPushNotificationConfig> {
    const found = (await this.list(run)).find(config => config.id === (id || DEFAULT_ID));
    if (!found) throw noConfig();
    return found;
  }

  /** Deleting one that does not exist changes nothing. */
  async delete(run: RunRecord, id: string): Promise<void> {
    await this.webhooks.delete(this.principal, run.id, id || DEFAULT_ID);
  }

  private get webhooks(): RunWebhooks {
    const { current } = this.deps.runWebhooks;
    if (current.isAvailable) return current;
    throw new (a2aSdk().PushNotificationNotSupportedError)('This gateway has no webhooks.');
  }
}

/** The credentials stay in the gateway: a reader sees their scheme alone. */
function toConfig({ runId, label, url, headers }: RunWebhook): TaskPushNotificationConfig {
  const [scheme = ''] = headers['authorization']?.split(' ') ?? [];
  return {
    tenant: '',
    id: label,
    taskId: runId,
    url,
    token: headers[TOKEN] ?? '',
    authentication: scheme === '' ? undefined : { scheme, credentials: '' },
  };
}

const noConfig = (): Error => new (a2aSdk().TaskNotFoundError)('The task has no such push notification config.');
