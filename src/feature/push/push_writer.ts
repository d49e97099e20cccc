/** Writes the notification of a delivery when it is sent, so that it says what is true then: nothing about a question that has been answered. */
import type { Clock } from '../../port/clock';
import type { Principal } from '../../port/principal';
import type { PushMessage } from '../../port/push_sender';
import type { Redactor } from '../../port/redactor';
import type { Store } from '../../port/store/store';
import { callFingerprint } from '../../runtime/approval/approval_policy';
import { contentHash } from '../../utils/content_hash';
import { PUSH_TEXTS } from './push_texts';
import { showCall, toLine } from './shown_call';
import type { PushDeliveryRecord, PushSubscriptionRecord } from './store/push_records';

/** The JSON that the service worker of the page gets. */
export interface PushNotice {
  kind: PushDeliveryRecord['kind'];
  title: string;
  body: string;
  locale: PushSubscriptionRecord['locale'];
  sessionId: string;
  requestId?: string;
  /** Decides the approval once, without a login. Absent: the person decides in the page. */
  token?: string;
}

export interface Addressee {
  device: PushSubscriptionRecord;
  /** The person of the device. */
  owner: Principal;
}

export interface PushWriterDeps {
  store: Store;
  clock: Clock;
  createToken: () => string;
  redactor: Pick<Redactor, 'redact'>;
}

type Draft = Pick<PushNotice, 'title' | 'body' | 'token'>;

export class PushNoticeWriter {
  constructor(private readonly deps: PushWriterDeps) {}

  /** Resolves with undefined when there is nothing left to tell. Stores the action of an approval that the person may allow from the notification. */
  async write(delivery: PushDeliveryRecord, addressee: Addressee): Promise<Omit<PushMessage, 'keys'> | undefined> {
    const { kind, sessionId, requestId, expiresAt } = delivery;
    const ttlSeconds = Math.floor((expiresAt - this.deps.clock.now()) / 1_000);
    if (ttlSeconds <= 0) return undefined;
    const draft = await (requestId === undefined ? this.writeEnd(delivery, addressee) : this.writeQuestion(delivery, requestId, addressee));
    if (!draft) return undefined;
    const notice: PushNotice = { kind, ...draft, locale: addressee.device.locale, sessionId, requestId };
    return { payload: JSON.stringify(notice), ttlSeconds, urgency: kind === 'end' ? 'normal' : 'high' };
  }

  private async writeEnd({ tenantId, sessionId, outcome = 'completed' }: PushDeliveryRecord, { device }: Addressee) {
    const session = await this.deps.store.read.sessions.get(tenantId, sessionId);
    const { ends, untitled } = PUSH_TEXTS[device.locale];
    return session && { title: ends[outcome] ?? outcome, body: toLine(this.deps.redactor.redact(session.title)) || untitled };
  }

  private async writeQuestion(delivery: PushDeliveryRecord, requestId: string, addressee: Addressee): Promise<Draft | undefined> {
    const { store, clock, redactor } = this.deps;
    const question = await store.read.questions.get(delivery.tenantId, requestId);
    if (question?.status !== 'pending' || question.expiresAt <= clock.now()) return undefined;
    const texts = PUSH_TEXTS[addressee.device.locale];
    const { approval } = question;
    if (!approval) return { title: texts.question, body: toLine(redactor.redact(question.question)) };
    const { line, canBeAllowed } = showCall(approval, redactor.redact);
    const isDecider = addressee.owner.scopes.has('approve');
    const argumentsHash = callFingerprint(approval.tool, approval.args);
    const token = canBeAllowed && isDecider ? await this.createAction(delivery, addressee, { requestId, argumentsHash }) : undefined;
    return { title: texts.approval, body: line, token };
  }

  private async createAction(
    { tenantId, expiresAt }: PushDeliveryRecord,
    { device: { id: subscriptionId, keyName, keyHash } }: Addressee,
    subject: { requestId: string; argumentsHash: string },
  ): Promise<string> {
    const token = this.deps.createToken();
    const action = { ...subject, tokenHash: contentHash(token), tenantId, subscriptionId, keyName, keyHash, expiresAt };
    await this.deps.store.transaction('none', tx => tx.push.insertAction(action));
    return token;
  }
}
