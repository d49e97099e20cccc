/** Writes the notification of a delivery when it is sent, so that it says what is true then: nothing about a question that has been answered. */

import type { Clock } from '../../port/clock';
import type { Principal } from '../../port/principal';
import type { PushMessage } from '../../port/push_sender';
import type { Redactor } from '../../port/redactor';
import type { Store } from '../../port/store/store';
import type { SessionAccess } from '../../service/access/session_access';
import { isLoginNotice, LOGIN_NOTICES } from '../../service/auth/login_notice';
import type { QuestionAccess } from '../../service/question/question_access';
import { contentHash } from '../../utils/content_hash';
import { PUSH_TEXTS } from './push_texts';
import { hashCall, showCall, toLine } from './shown_call';
import type { PushDeliveryRecord, PushSubscriptionRecord } from './store/push_records';

/** The JSON that the service worker of the page gets. */
export interface PushNotice {
  kind: PushDeliveryRecord['kind'];
  title: string;
  body: string;
  locale: PushSubscriptionRecord['locale'];
  /** Absent for a login notice. */
  sessionId?: string;
  requestId?: string;
  /** The person is asked this question, and does not see its chat. */
  chatHidden?: boolean | undefined;
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
  sessionAccess: Pick<SessionAccess, 'maySee'>;
  questionAccess: Pick<QuestionAccess, 'isAsked'>;
  createToken: () => string;
  redactor: Pick<Redactor, 'redact'>;
  /** Absolute path of the workspace of a tenant. */
  workspacePathOf: (tenantId: string) => string;
}

type Draft = Pick<PushNotice, 'title' | 'body' | 'token'>;

export class PushNoticeWriter {
  constructor(private readonly deps: PushWriterDeps) {}

  /** Resolves with undefined when there is nothing left to tell, or when the person does not see the session. Stores the action of an approval that the person may allow from the notification. */
  async write(delivery: PushDeliveryRecord, addressee: Addressee): Promise<Omit<PushMessage, 'keys'> | undefined> {
    const { kind, sessionId, requestId, expiresAt } = delivery;
    const ttlSeconds = Math.floor((expiresAt - this.deps.clock.now()) / 1_000);
    if (ttlSeconds <= 0) return undefined;
    if (kind === 'login') return { payload: JSON.stringify(loginNotice(delivery, addressee.device)), ttlSeconds, urgency: 'high' };
    const seesChat = await this.deps.sessionAccess.maySee(addressee.owner, sessionId);
    if (requestId === undefined && !seesChat) return undefined;
    const write = () =>
      requestId === undefined ? this.writeEnd(delivery, addressee) : this.writeQuestion(delivery, { requestId, seesChat }, addressee);
    const draft = await write();
    if (!draft) return undefined;
    const notice: PushNotice = {
      kind,
      ...draft,
      locale: addressee.device.locale,
      sessionId,
      requestId,
      chatHidden: !seesChat || undefined,
    };
    return { payload: JSON.stringify(notice), ttlSeconds, urgency: kind === 'end' ? 'normal' : 'high' };
  }

  private async writeEnd({ tenantId, sessionId, outcome = 'completed' }: PushDeliveryRecord, { device }: Addressee) {
    const session = await this.deps.store.read.sessions.get(tenantId, sessionId);
    const { ends, untitled, hidden } = PUSH_TEXTS[device.locale];
    const body = device.preview && session ? toLine(this.deps.redactor.redact(session.title)) || untitled : hidden;
    return session && { title: ends[outcome] ?? outcome, body };
  }

  private async writeQuestion(
    delivery: PushDeliveryRecord,
    { requestId, seesChat }: { requestId: string; seesChat: boolean },
    addressee: Addressee,
  ): Promise<Draft | undefined> {
    const { store, clock, redactor, workspacePathOf, questionAccess } = this.deps;
    const { redact } = redactor;
    const { device, owner } = addressee;
    const question = await store.read.questions.get(delivery.tenantId, requestId);
    if (question?.status !== 'pending' || question.expiresAt <= clock.now()) return undefined;
    if (!seesChat && !questionAccess.isAsked(owner, question)) return undefined;
    const { hidden, inDirectory, ...titles } = PUSH_TEXTS[device.locale];
    const { approval } = question;
    const title = approval ? titles.approval : titles.question;
    if (!device.preview) return { title, body: hidden };
    if (!approval) return { title, body: toLine(redact(question.question)) };
    const workspacePath = workspacePathOf(delivery.tenantId);
    const { line, canBeAllowed } = showCall(approval, { redact, workspacePath, inDirectory });
    const isRequester = approval.review?.notBy?.includes(owner.keyName);
    const canDecide = canBeAllowed && owner.scopes.has('approve') && !isRequester;
    const token = canDecide ? await this.createAction(delivery, addressee, { requestId, argumentsHash: hashCall(approval) }) : undefined;
    return { title, body: line, token };
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

/** A delivery that an older version stored is of an unusual sign-in. */
function loginNotice({ outcome = '' }: PushDeliveryRecord, { locale }: PushSubscriptionRecord): PushNotice {
  const kind = isLoginNotice(outcome) ? outcome : 'unusual_sign_in';
  return { kind: 'login', title: LOGIN_NOTICES[kind][locale], body: PUSH_TEXTS[locale].loginAdvice, locale };
}
